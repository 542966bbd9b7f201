# SPDX-License-Identifier: Apache-2.0
# gs_module(NAME SOURCES a.c ... DEPS other ... LIBS foreign ...)
# declares the folder's library gs_NAME.  DEPS are the modules that it may
# include (tests/lint checks the include lines against style).
function(gs_module name)
    cmake_parse_arguments(M "" "" "SOURCES;DEPS;LIBS" ${ARGN})
    add_library(gs_${name} STATIC ${M_SOURCES})
    target_include_directories(gs_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(gs_${name} PRIVATE gs_warnings)
    foreach(dep ${M_DEPS})
        target_link_libraries(gs_${name} PUBLIC gs_${dep})
    endforeach()
    target_link_libraries(gs_${name} PUBLIC ${M_LIBS})
endfunction()

# gs_unit_test(PATH DEPS module ... LIBS foreign ...): tests/unit/PATH.c is a
# cmocka program.
function(gs_unit_test path)
    cmake_parse_arguments(M "" "" "DEPS;LIBS" ${ARGN})
    string(REPLACE "/" "_" name ${path})
    add_executable(${name} ${PROJECT_SOURCE_DIR}/tests/unit/${path}.c)
    target_link_libraries(${name} PRIVATE gs_warnings ${CMOCKA_LIBRARIES})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src
        ${PROJECT_SOURCE_DIR}/tests/lib)
    foreach(dep ${M_DEPS})
        target_link_libraries(${name} PRIVATE gs_${dep})
    endforeach()
    target_link_libraries(${name} PRIVATE ${M_LIBS})
    target_compile_definitions(${name} PRIVATE
        GS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_test(NAME unit/${path} COMMAND ${name})
    set_tests_properties(unit/${path} PROPERTIES LABELS quick)
endfunction()
