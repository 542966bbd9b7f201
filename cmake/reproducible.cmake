# SPDX-License-Identifier: Apache-2.0
# The same tree gives the same bytes, wherever and whenever it is built: no path
# of the build is in a program, and the only date is that of the newest commit
# (or SOURCE_DATE_EPOCH; without either, of CHANGELOG.md).  Builds with tests
# keep their paths, which debuggers follow.
if(NOT GS_TESTS)
    add_compile_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}=build
        -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
    add_link_options(-ffile-prefix-map=${PROJECT_BINARY_DIR}=build
        -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
    # gcc makes names up, and orders code by them.
    set(CMAKE_C_COMPILE_OBJECT "<CMAKE_C_COMPILER> <DEFINES> <INCLUDES> <FLAGS> -frandom-seed=<OBJECT> -o <OBJECT> -c <SOURCE>")
    add_link_options(-frandom-seed=gpsnap)
endif()
if(NOT DEFINED ENV{SOURCE_DATE_EPOCH})
    find_program(GS_GIT git)
    if(GS_GIT)
        execute_process(COMMAND ${GS_GIT} -C ${PROJECT_SOURCE_DIR} log -1
            --format=%ct OUTPUT_VARIABLE epoch ERROR_QUIET
            OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
    if(NOT epoch)
        file(TIMESTAMP ${PROJECT_SOURCE_DIR}/CHANGELOG.md epoch "%s" UTC)
    endif()
    set(ENV{SOURCE_DATE_EPOCH} ${epoch})
endif()
set(GS_EPOCH $ENV{SOURCE_DATE_EPOCH})
string(TIMESTAMP GS_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
