# The reference of the public interface, and the pages, as HTML in documentation/ of the build folder.
find_program (DOXYGEN doxygen)
mark_as_advanced (DOXYGEN)
if (DOXYGEN)
    file (READ plugin/doc/Doxyfile settings)
    file (WRITE ${PROJECT_BINARY_DIR}/Doxyfile
        "${settings}\nOUTPUT_DIRECTORY = \"${PROJECT_BINARY_DIR}/documentation\"\nPROJECT_NUMBER = ${PROJECT_VERSION}\n")
    set_property (DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS plugin/doc/Doxyfile)
    add_custom_target (documentation COMMAND ${DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMENT "Writing documentation/html" VERBATIM)
endif ()
