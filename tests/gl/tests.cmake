# The viewer: its parts by themselves, headless pictures, a real window under Xvfb.
if (TARGET ode_rls_viewer AND TARGET ode-rls)
    pkg_check_modules (LIBPNG REQUIRED IMPORTED_TARGET libpng)
    add_executable (regions ${CMAKE_CURRENT_LIST_DIR}/regions.c)
    target_link_libraries (regions PRIVATE PkgConfig::LIBPNG)

    foreach (name test_viewer_parts test_story test_readable test_stage)
        add_executable (${name} ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
        target_compile_definitions (${name} PRIVATE CGLM_ALL_UNALIGNED SCENES="${PROJECT_SOURCE_DIR}/demos/scenes")
        target_link_libraries (${name} PRIVATE ode_rls_viewer ode_rls_scene PkgConfig::CMOCKA m)
        add_test (NAME gl.${name} COMMAND ${name})
    endforeach ()

    file (GLOB GL_TESTS CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.sh)
    foreach (script ${GL_TESTS})
        get_filename_component (name ${script} NAME_WE)
        add_test (NAME gl.${name} COMMAND sh ${script} $<TARGET_FILE:ode-rls> ${CMAKE_CURRENT_LIST_DIR}
            ${PROJECT_SOURCE_DIR} $<TARGET_FILE:regions>)
        set_tests_properties (gl.${name} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
    endforeach ()
endif ()
