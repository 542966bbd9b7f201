# Every warning is an error; generated code is exempt (it lives in a target of
# its own that does not link gs_warnings).
add_library(gs_warnings INTERFACE)
target_compile_options(gs_warnings INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wsign-compare -Wmissing-prototypes
    -Wstrict-prototypes -Wvla -Wpointer-arith -Wundef -Wformat=2 -Werror)
target_compile_definitions(gs_warnings INTERFACE _GNU_SOURCE)
