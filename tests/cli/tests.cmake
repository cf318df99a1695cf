# The contract of the command line, by shell scripts over the program itself.
if (TARGET ode-rls)
    pkg_check_modules (LIBPNG REQUIRED IMPORTED_TARGET libpng)
    add_executable (check_png ${CMAKE_CURRENT_LIST_DIR}/check_png.c)
    target_link_libraries (check_png PRIVATE PkgConfig::LIBPNG)

    file (GLOB CLI_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.sh)
    foreach (script ${CLI_TESTS})
        get_filename_component (name ${script} NAME_WE)
        add_test (NAME cli.${name} COMMAND sh ${script} $<TARGET_FILE:ode-rls> ${CMAKE_CURRENT_LIST_DIR}
            ${PROJECT_SOURCE_DIR} $<TARGET_FILE:check_png>)
        set_tests_properties (cli.${name} PROPERTIES TIMEOUT 300)
    endforeach ()
endif ()
