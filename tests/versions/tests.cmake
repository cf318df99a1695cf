# Other builds of ODE than the shared library: the static one works; one that hides its internals and one beside a
# second one are named and refused.  Other versions: run.sh, which needs their sources.
set (INCOMPATIBLE 4) # dRLSStatusIncompatibleODE
set (PROGRAM ${CMAKE_CURRENT_LIST_DIR}/program.c)
add_executable (versions_shared ${PROGRAM})
target_compile_definitions (versions_shared PRIVATE WITH_ODE_RLS)
target_link_libraries (versions_shared PRIVATE ode_rls_shared m)
add_test (NAME versions.shared COMMAND versions_shared 0)

add_library (second_ode SHARED ${CMAKE_CURRENT_LIST_DIR}/second_ode.c)
target_link_libraries (second_ode PRIVATE ${CMAKE_DL_LIBS})
add_test (NAME versions.second_ode COMMAND versions_shared ${INCOMPATIBLE})
set_tests_properties (versions.second_ode PROPERTIES
    ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:second_ode>;ASAN_OPTIONS=verify_asan_link_order=0")

# An example that cannot show what it is for says so, and fails.
add_test (NAME versions.refused_example COMMAND sh -c "$<TARGET_FILE:drop_in> 2>&1 || echo status $?")
set_tests_properties (versions.refused_example PROPERTIES ENVIRONMENT
    "LD_PRELOAD=$<TARGET_FILE:second_ode>;ASAN_OPTIONS=verify_asan_link_order=0"
    PASS_REGULAR_EXPRESSION "there are two ODEs.*status 1")

# ODE is looked for by the names of the precision that its headers have, single here.
list (TRANSFORM ODE_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE ODE_FOLDERS)
add_test (NAME versions.single_names COMMAND ${CMAKE_C_COMPILER} -E -DdIDESINGLE -I${PROJECT_SOURCE_DIR}/plugin/include
    -I${PROJECT_SOURCE_DIR}/plugin/src -I${PROJECT_BINARY_DIR}/plugin/include ${ODE_FOLDERS}
    ${PROJECT_SOURCE_DIR}/plugin/src/ode/ode_find.c)
set_tests_properties (versions.single_names PROPERTIES PASS_REGULAR_EXPRESSION "= .\"_Z10dxStepBodyP6dxBody\" \"f\"")

# All versions whose sources there are: a folder with ode-VERSION.tar.* in ODE_RLS_ODE_ARCHIVES.
set (ODE_RLS_ODE_ARCHIVES "" CACHE PATH "Folder with sources of ODE, ode-VERSION.tar.*, for the test of versions")
add_test (NAME versions.all COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh "${ODE_RLS_ODE_ARCHIVES}" ${PROJECT_BINARY_DIR})
set_tests_properties (versions.all PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600)

find_library (ODE_ARCHIVE libode.a HINTS ${ODE_LIBDIR})
if (ODE_ARCHIVE AND NOT ODE_RLS_SANITIZE)
    # ODE's own object files in one, of which only the public functions can be seen
    set (HIDDEN ${CMAKE_CURRENT_BINARY_DIR}/ode_hidden.o)
    add_custom_command (OUTPUT ${HIDDEN} DEPENDS ${ODE_ARCHIVE}
        COMMAND ${CMAKE_LINKER} -r -o ${HIDDEN} --whole-archive ${ODE_ARCHIVE}
        COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=d[A-Z]*" ${HIDDEN} VERBATIM)
    foreach (kind static hidden)
        add_executable (versions_${kind} ${PROGRAM})
        target_include_directories (versions_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/plugin/include ${ODE_INCLUDE_DIRS})
        target_compile_options (versions_${kind} PRIVATE ${ODE_CFLAGS_OTHER})
        target_compile_definitions (versions_${kind} PRIVATE WITH_ODE_RLS)
        add_dependencies (versions_${kind} ode_rls_static)
    endforeach ()
    # What the archive may need: Debian has the library for those that are linked to ODE, if not for those who link.
    find_library (CCD_LIBRARY NAMES ccd libccd.so.2)
    set (NEEDED amd stdc++ m Threads::Threads)
    if (CCD_LIBRARY)
        list (APPEND NEEDED ${CCD_LIBRARY})
    endif ()
    target_sources (versions_hidden PRIVATE ${HIDDEN})
    set_source_files_properties (${HIDDEN} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_link_libraries (versions_hidden PRIVATE $<TARGET_FILE:ode_rls_static> ${NEEDED})
    target_link_libraries (versions_static PRIVATE $<TARGET_FILE:ode_rls_static> ${ODE_ARCHIVE} ${NEEDED})
    add_test (NAME versions.static COMMAND versions_static 0)
    add_test (NAME versions.hidden COMMAND versions_hidden ${INCOMPATIBLE})
endif ()
