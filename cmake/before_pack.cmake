# SPDX-License-Identifier: Apache-2.0
# Before a package is made: man pages and changelogs compressed, as
# distributions have them, with the same bytes each time; and all files of one
# date.
find_program(GS_GZIP gzip)
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_DIRECTORY}/*.[1-8])
list(FILTER pages INCLUDE REGEX "/share/man/man[1-8]/")
file(GLOB_RECURSE logs ${CPACK_TEMPORARY_DIRECTORY}/changelog*)
list(FILTER logs EXCLUDE REGEX "\\.gz$")
if(GS_GZIP AND pages)
    execute_process(COMMAND ${GS_GZIP} -9nf ${pages} ${logs}
        COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND find ${CPACK_TEMPORARY_DIRECTORY} -exec
    touch -h -d @${CPACK_GS_EPOCH} {} +
    COMMAND_ERROR_IS_FATAL ANY)
