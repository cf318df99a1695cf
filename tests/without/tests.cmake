# The objects of the library without those of the corrections: what the step needs of them is correct.h alone.
if (ODE_RLS_CORRECTIONS)
    list (PREPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/plugin/cmake)
    find_package (AMD REQUIRED)
    add_executable (test_without ${CMAKE_CURRENT_LIST_DIR}/test_without.c ${ODE_RLS_WITHOUT_CORRECTIONS}
        $<FILTER:$<TARGET_OBJECTS:ode_rls_objects>,EXCLUDE,/corrections/correct> $<TARGET_OBJECTS:ode_rls_linked>)
    target_include_directories (test_without PRIVATE $<TARGET_PROPERTY:ode_rls_objects,INCLUDE_DIRECTORIES>)
    target_link_libraries (test_without PRIVATE PkgConfig::ODE AMD::AMD Threads::Threads m ${CMAKE_DL_LIBS})
    add_test (NAME without.corrections COMMAND test_without)
endif ()
