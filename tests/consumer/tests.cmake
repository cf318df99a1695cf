# The project as its users get it: installed, found by CMake and pkg-config, packaged, taken away again.
# A build with sanitizers is not for installing.
if (TARGET ode-rls AND NOT ODE_RLS_SANITIZE)
    function (add_consumer_test name scratch)
        add_test (NAME consumer.${name} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/consumer/test_${name}.sh
            ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/tests/consumer/${scratch})
        set_tests_properties (consumer.${name} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77 ENVIRONMENT
            "CMAKE=${CMAKE_COMMAND};CC=${CMAKE_C_COMPILER};CXX=${CMAKE_CXX_COMPILER};generator=${CMAKE_GENERATOR};libdir=${CMAKE_INSTALL_LIBDIR};version=${PROJECT_VERSION}")
    endfunction ()

    add_consumer_test (install installed)
    add_consumer_test (cmake installed)
    add_consumer_test (pkg_config installed)
    add_consumer_test (uninstall installed)
    add_consumer_test (folders folders)
    add_consumer_test (package package)
    add_consumer_test (subproject subproject)
    set_tests_properties (consumer.install PROPERTIES FIXTURES_SETUP installed)
    set_tests_properties (consumer.cmake consumer.pkg_config PROPERTIES FIXTURES_REQUIRED installed
        RESOURCE_LOCK consumer_scratch)
    set_tests_properties (consumer.uninstall PROPERTIES FIXTURES_CLEANUP installed)
endif ()
