# The Iltis is an example program's model; methods_iltis runs the methods on it for report.py.
set (ILTIS ${PROJECT_SOURCE_DIR}/demos/examples/iltis_vehicle.c)
if (TARGET ode_rls_scene)
    target_sources (test_iltis PRIVATE ${ILTIS})
    target_include_directories (test_iltis PRIVATE ${PROJECT_SOURCE_DIR}/demos/examples)

    add_executable (methods_iltis ${CMAKE_CURRENT_LIST_DIR}/methods_iltis.c ${PROJECT_SOURCE_DIR}/demos/cli/choices.c
        ${ILTIS})
    target_compile_definitions (methods_iltis PRIVATE REFERENCES="${PROJECT_SOURCE_DIR}/tests/reference")
    target_include_directories (methods_iltis PRIVATE ${PROJECT_SOURCE_DIR}/demos/examples ${PROJECT_SOURCE_DIR}/demos/cli)
    target_link_libraries (methods_iltis PRIVATE ode_rls::ode_rls m)
endif ()

# Tables of scenes with contacts and of small problems with known answers: build/bin/contact_table, contact_figures.
if (TARGET ode_rls_scene)
    foreach (name contact_table contact_figures step_figures rest_figures order_figures soft_figures heap_figures)
        add_executable (${name} ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
        target_link_libraries (${name} PRIVATE ode_rls_scene m)
    endforeach ()
    foreach (name step_figures rest_figures order_figures soft_figures heap_figures)
        target_sources (${name} PRIVATE ${CMAKE_CURRENT_LIST_DIR}/step_rig.c)
    endforeach ()
    target_sources (order_figures PRIVATE ${CMAKE_CURRENT_LIST_DIR}/strike_scenes.c)
    add_test (NAME compare.contact_table COMMAND contact_table stack:3@0.2 ragdoll@0.2)
    add_test (NAME compare.contact_figures COMMAND contact_figures)
    add_test (NAME compare.step_figures COMMAND step_figures --quick)
    add_test (NAME compare.rest_figures COMMAND rest_figures --quick)
    target_compile_definitions (soft_figures PRIVATE GOVERNOR="${CMAKE_CURRENT_LIST_DIR}/governor.sdf")
    add_test (NAME compare.order_figures COMMAND order_figures)
    add_test (NAME compare.soft_figures COMMAND soft_figures)
endif ()

# The papers' problems in steps that follow the error: build/bin/variable_step.
if (TARGET ode_rls_scene)
    add_executable (variable_step ${CMAKE_CURRENT_LIST_DIR}/variable_step.c)
    target_compile_definitions (variable_step PRIVATE SCENES="${PROJECT_SOURCE_DIR}/demos/scenes")
    target_link_libraries (variable_step PRIVATE ode_rls_scene m)
    add_test (NAME compare.variable_step COMMAND variable_step --quick)
    add_test (NAME compare.variable_step_singular COMMAND variable_step fourbar_rhombus)
endif ()

# Looks into the library, so it takes the static one with its private headers, and the linker puts its functions around
# two of the library's.
if (TARGET ode_rls_scene)
    add_executable (show_rows ${CMAKE_CURRENT_LIST_DIR}/show_rows.c)
    target_include_directories (show_rows PRIVATE ${PROJECT_SOURCE_DIR}/plugin/src)
    target_compile_definitions (show_rows PRIVATE RLS_ODE_PLAIN_NAMES SCENES="${PROJECT_SOURCE_DIR}/demos/scenes")
    target_link_libraries (show_rows PRIVATE ode_rls_scene ode_rls_static m)
    target_link_options (show_rows PRIVATE LINKER:--wrap=rls_gather LINKER:--wrap=rls_evaluate_joints)
    add_test (NAME compare.show_rows COMMAND show_rows)
endif ()

# Other engines on the same problems, for report.py: built where their packages are and where they are wanted,
# because their headers are heavy.  In Debian: libbullet-dev libsimbody-dev libmujoco-dev libdart-dev
# libdart-external-ikfast-dev.
option (ODE_RLS_ENGINES "Build the programs that run other engines for tests/compare/report.py" OFF)
if (ODE_RLS_ENGINES AND TARGET ode_rls_scene)
    pkg_check_modules (BULLET64 bullet-float64)
    pkg_check_modules (SIMBODY simbody)
    pkg_check_modules (DART dart)
    find_path (MUJOCO_INCLUDE mujoco.h PATH_SUFFIXES mujoco)
    find_library (MUJOCO_LIBRARY mujoco)

    add_library (engine_main OBJECT ${CMAKE_CURRENT_LIST_DIR}/engines/engine_main.c)
    target_compile_definitions (engine_main PRIVATE SCENES="${PROJECT_SOURCE_DIR}/demos/scenes")
    target_link_libraries (engine_main PRIVATE ode_rls_scene)

    # add_engine (NAME SOURCE INCLUDES LIBRARIES): not by pkg-config's targets, which bring a language standard along;
    # their headers are not held to our warnings.
    function (add_engine name source includes libraries)
        add_executable (engine_${name} $<TARGET_OBJECTS:engine_main> ${CMAKE_CURRENT_LIST_DIR}/engines/${source})
        target_compile_options (engine_${name} PRIVATE -w)
        target_link_libraries (engine_${name} PRIVATE ode_rls_scene ${libraries} m)
        target_include_directories (engine_${name} SYSTEM PRIVATE ${includes})
    endfunction ()

    add_engine (ode engine_ode.c "" ode_rls::ode_rls)
    if (BULLET64_FOUND)
        add_engine (bullet engine_bullet.cpp "${BULLET64_INCLUDE_DIRS}" "${BULLET64_LINK_LIBRARIES}")
        add_engine (multibody engine_multibody.cpp "${BULLET64_INCLUDE_DIRS}" "${BULLET64_LINK_LIBRARIES}")
        target_compile_definitions (engine_bullet PRIVATE BT_USE_DOUBLE_PRECISION)
        target_compile_definitions (engine_multibody PRIVATE BT_USE_DOUBLE_PRECISION)
    endif ()
    if (SIMBODY_FOUND)
        add_engine (simbody engine_simbody.cpp "${SIMBODY_INCLUDE_DIRS}" "${SIMBODY_LINK_LIBRARIES}")
    endif ()
    if (DART_FOUND)
        add_engine (dart engine_dart.cpp "${DART_INCLUDE_DIRS}" "${DART_LINK_LIBRARIES}")
    endif ()
    if (MUJOCO_INCLUDE AND MUJOCO_LIBRARY)
        add_engine (mujoco engine_mujoco.c "${MUJOCO_INCLUDE}" "${MUJOCO_LIBRARY}")
    endif ()
endif ()

# What the page says is what the library does: the beginning of every problem, every method, and one search.
find_program (PYTHON3 python3)
if (PYTHON3 AND TARGET ode-rls)
    add_test (NAME compare.page COMMAND ${PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/report.py --check $<TARGET_FILE:ode-rls>)
endif ()
