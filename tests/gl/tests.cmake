# The viewer: its parts by themselves, headless pictures, a real window under Xvfb.
if (TARGET ode_rls_viewer AND TARGET ode-rls)
    pkg_check_modules (LIBPNG REQUIRED IMPORTED_TARGET libpng)
    add_executable (regions ${CMAKE_CURRENT_LIST_DIR}/regions.c)
    target_link_libraries (regions PRIVATE PkgConfig::LIBPNG)

    add_executable (test_viewer_parts ${CMAKE_CURRENT_LIST_DIR}/test_viewer_parts.c)
    target_compile_definitions (test_viewer_parts PRIVATE CGLM_ALL_UNALIGNED
        SCENES="${PROJECT_SOURCE_DIR}/demos/scenes")
    target_link_libraries (test_viewer_parts PRIVATE ode_rls_viewer ode_rls_scene PkgConfig::CMOCKA m)
    add_test (NAME gl.test_viewer_parts COMMAND test_viewer_parts)

    file (GLOB GL_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.sh)
    foreach (script ${GL_TESTS})
        get_filename_component (name ${script} NAME_WE)
        add_test (NAME gl.${name} COMMAND sh ${script} $<TARGET_FILE:ode-rls> ${CMAKE_CURRENT_LIST_DIR}
            ${PROJECT_SOURCE_DIR} $<TARGET_FILE:regions>)
        set_tests_properties (gl.${name} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
    endforeach ()
endif ()
