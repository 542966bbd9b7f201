# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCES=a.js;b.js -DSERVED=a.js;c.js -DSTYLE=page.css
#     -DBODY=body.html -DOUT=page_web.c -P web.cmake
# Puts the modules of web/ together as one program, and as that of a page that
# is served, and writes them, the style and the body as arrays of C, with the
# hashes that a page's policy needs.  The modules' lines of import go, and the
# word export: names are unique in all of them (tests/report looks).
function(put_together name)
    set(script "\"use strict\";\n(() => {\n")
    foreach(file ${ARGN})
        file(READ ${file} text)
        string(REGEX REPLACE "\nimport [^;]*;" "" text "\n${text}")
        string(REGEX REPLACE "\nexport " "\n" text "${text}")
        string(REGEX REPLACE "\n/\\*[^*]*\\*/\n" "\n" text "${text}")
        string(APPEND script "${text}")
    endforeach()
    set(${name} "${script}})();\n" PARENT_SCOPE)
endfunction()

put_together(script ${SOURCES})
put_together(served ${SERVED})
file(READ ${STYLE} style)
file(READ ${BODY} body)

function(add_bytes name text)
    file(WRITE ${OUT}.tmp "${text}")
    file(READ ${OUT}.tmp hex HEX)
    file(SHA256 ${OUT}.tmp hash)
    file(SIZE ${OUT}.tmp size)
    file(REMOVE ${OUT}.tmp)
    string(REGEX REPLACE "(..)" "0x\\1," hex "${hex}")
    string(REGEX REPLACE "(..)" "0x\\1," hash "${hash}")
    string(REGEX REPLACE "(................................................................................)"
        "\\1\n" hex "${hex}")
    file(APPEND ${OUT} "const char ${name}[] = {\n${hex}0 };\n"
        "const size_t ${name}_len = ${size};\n")
    if(NOT name STREQUAL page_body)
        file(APPEND ${OUT}
            "const unsigned char ${name}_sha256[32] = { ${hash} };\n")
    endif()
endfunction()

file(WRITE ${OUT} "#include \"report/page_web.h\"\n")
add_bytes(page_script "${script}")
add_bytes(page_served_script "${served}")
add_bytes(page_style "${style}")
add_bytes(page_body "${body}")
