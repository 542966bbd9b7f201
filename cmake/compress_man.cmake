# SPDX-License-Identifier: Apache-2.0
# Before a package is made: its man pages compressed, as distributions have
# them, with the same bytes each time.
find_program(GS_GZIP gzip)
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_DIRECTORY}/*.[1-8])
list(FILTER pages INCLUDE REGEX "/share/man/man[1-8]/")
if(GS_GZIP AND pages)
    execute_process(COMMAND ${GS_GZIP} -9nf ${pages}
        COMMAND_ERROR_IS_FATAL ANY)
endif()
