# Fuzz targets: fuzz_*.c, each with a small corpus.  With clang and -DODE_RLS_FUZZ=ON libFuzzer drives them,
#     tests/fuzz/run.sh BUILD RUNS
# otherwise the corpus and some mutants of it are run as tests.
set (FUZZ_scene 200 ${PROJECT_SOURCE_DIR}/demos/scenes)
set (FUZZ_calls 500)
set (FUZZ_bounded 1000)
set (FUZZ_factor 500)
set (FUZZ_shim 2000)
set (FUZZ_contacts 300)

foreach (name scene calls bounded factor shim contacts)
    add_executable (fuzz_${name} ${CMAKE_CURRENT_LIST_DIR}/fuzz_${name}.c)
    if (ODE_RLS_FUZZ)
        target_compile_options (fuzz_${name} PRIVATE -fsanitize=fuzzer)
        target_link_options (fuzz_${name} PRIVATE -fsanitize=fuzzer)
    else ()
        target_sources (fuzz_${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/main.c)
        add_test (NAME fuzz.${name}
            COMMAND fuzz_${name} ${FUZZ_${name}} ${CMAKE_CURRENT_LIST_DIR}/corpus/${name})
    endif ()
endforeach ()
target_link_libraries (fuzz_scene PRIVATE ode_rls_scene m)
target_link_libraries (fuzz_calls PRIVATE ode_rls_static m)
target_link_libraries (fuzz_contacts PRIVATE ode_rls_static m)
target_link_libraries (fuzz_shim PRIVATE PkgConfig::ODE m) # a program that knows ODE alone
if (NOT ODE_RLS_FUZZ AND NOT ODE_RLS_SANITIZE AND TARGET ode_rls_preload)
    set_tests_properties (fuzz.shim PROPERTIES ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:ode_rls_preload>")
endif ()
# Oracles are slow enough without sanitizers, which would find nothing new in them.
if (ODE_RLS_FUZZ)
    set_source_files_properties (${ORACLE_SOURCES} PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-O3")
endif ()
foreach (name bounded factor)
    target_compile_definitions (fuzz_${name} PRIVATE ORACLE_MOST_JOINTS=8)
    target_sources (fuzz_${name} PRIVATE ${ORACLE_SOURCES})
    target_include_directories (fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/plugin/src ${CMAKE_CURRENT_LIST_DIR}/../unit)
    target_link_libraries (fuzz_${name} PRIVATE ode_rls_static PkgConfig::CMOCKA m)
endforeach ()
