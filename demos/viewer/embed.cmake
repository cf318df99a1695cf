# Writes the shader files as C arrays, so that the program runs from anywhere.
# cmake -DFILES=a;b -DOUTPUT=x.c -P embed.cmake
set (text "/* Made by embed.cmake from the files in shaders/. */\n#include \"shader_source.h\"\n\n")
set (table "")
foreach (file ${FILES})
    get_filename_component (name ${file} NAME)
    string (MAKE_C_IDENTIFIER ${name} identifier)
    file (READ ${file} hex HEX)
    string (REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
    string (APPEND text "static const unsigned char ${identifier}[] = {${bytes}0};\n")
    string (APPEND table "    {\"${name}\", (const char *) ${identifier}},\n")
endforeach ()
string (APPEND text "\nconst shader_file shader_files[] = {\n${table}    {NULL, NULL}};\n")
file (WRITE ${OUTPUT} "${text}")
