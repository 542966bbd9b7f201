# SPDX-License-Identifier: Apache-2.0
# Every warning is an error; generated code is exempt (it lives in a target of
# its own that does not link gs_warnings).  GS_WERROR=OFF is for those who
# only want to use the program and have a compiler that knows new warnings.
option(GS_WERROR "warnings are errors" ON)
add_library(gs_warnings INTERFACE)
target_compile_options(gs_warnings INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wsign-compare -Wmissing-prototypes
    -Wstrict-prototypes -Wvla -Wpointer-arith -Wundef -Wformat=2)
if(GS_WERROR)
    target_compile_options(gs_warnings INTERFACE -Werror)
endif()
# Texts are cut on purpose where they may be long, and whether gcc sees that
# depends on how far it optimises.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(gs_warnings INTERFACE -Wno-format-truncation)
endif()
target_compile_definitions(gs_warnings INTERFACE _GNU_SOURCE)
