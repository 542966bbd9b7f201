# SPDX-License-Identifier: Apache-2.0
# Libraries of a static gpsnap, under the names that pkg_check_modules() gives
# them elsewhere: archives, which Debian's -dev packages have.  isa-l has none:
# format/crc32c.c does without.
function(gs_archives name)
    add_library(PkgConfig::${name} INTERFACE IMPORTED)
    foreach(archive ${ARGN})
        find_library(GS_ARCHIVE_${archive} NAMES lib${archive}.a REQUIRED)
        target_link_libraries(PkgConfig::${name} INTERFACE
            ${GS_ARCHIVE_${archive}})
    endforeach()
endfunction()
gs_archives(ZSTD zstd)
gs_archives(PROTOBUFC protobuf-c)
gs_archives(UV uv_a)
target_link_libraries(PkgConfig::UV INTERFACE Threads::Threads
    ${CMAKE_DL_LIBS} rt)
gs_archives(YAJL yajl_s)
gs_archives(ZLIB z)
gs_archives(INIH inih)
gs_archives(SECCOMP seccomp)
gs_archives(NCURSES ncursesw tinfo)
# Their declarations alone; they are the same for all machines.
find_path(PQ_INCLUDE_DIRS libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)
find_path(MICROHTTPD_INCLUDE_DIRS microhttpd.h REQUIRED)

add_compile_definitions(GS_PORTABLE)
add_link_options(-static)
enable_language(ASM)
