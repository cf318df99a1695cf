# Installation of the program ode-rls with its scenes and manual page, of the pages about the library, and the
# target uninstall.
if (TARGET ode-rls)
    # Outside the folders that the loader searches by itself, the program finds the library relative to itself.
    if (NOT CMAKE_INSTALL_FULL_LIBDIR IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
        file (RELATIVE_PATH up ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
        set_target_properties (ode-rls PROPERTIES INSTALL_RPATH $ORIGIN/${up})
    endif ()
    install (TARGETS ode-rls RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
    install (FILES plugin/doc/ode-rls.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)

    # Scenes name their references relative to themselves: in the source tree those belong to the tests, installed
    # they lie beside the scenes.
    file (GLOB_RECURSE scenes CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/demos/scenes demos/scenes/*)
    foreach (scene ${scenes})
        set_property (DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS demos/scenes/${scene})
        set (installed ${PROJECT_BINARY_DIR}/installed_scenes/${scene})
        if (scene MATCHES "\\.sdf$")
            file (READ demos/scenes/${scene} text)
            string (REPLACE "../../tests/reference/" "../reference/" text "${text}")
            file (WRITE ${installed} "${text}")
        else ()
            configure_file (demos/scenes/${scene} ${installed} COPYONLY)
        endif ()
        get_filename_component (folder ${scene} DIRECTORY)
        install (FILES ${installed} DESTINATION ${CMAKE_INSTALL_DATADIR}/ode-rls/scenes/${folder} COMPONENT tools)
    endforeach ()
    install (FILES demos/cli/completion.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME ode-rls COMPONENT tools)
    if (TARGET ode_rls_viewer)
        install (FILES demos/cli/ode-rls.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT tools)
    endif ()
    install (DIRECTORY tests/reference DESTINATION ${CMAKE_INSTALL_DATADIR}/ode-rls COMPONENT tools
        FILES_MATCHING PATTERN *.csv)
endif ()

file (GLOB pages CONFIGURE_DEPENDS plugin/doc/*.md)
install (FILES ${pages} DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/ode-rls COMPONENT development)

configure_file (plugin/cmake/uninstall.cmake.in uninstall.cmake @ONLY)
add_custom_target (uninstall COMMAND ${CMAKE_COMMAND} -P ${PROJECT_BINARY_DIR}/uninstall.cmake
    COMMENT "Removing what was installed" VERBATIM)
