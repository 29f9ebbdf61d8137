# `cpack --config build/release/CPackConfig.cmake -B build/package` makes a package for Debian 12: the command, the
# driver, presets, experiments, examples and pages.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Cutaway authors")
set(CPACK_PACKAGE_CONTACT "The Cutaway authors <cutaway@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The driver is found by its manifest and not linked to.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
# What `cutaway run` needs for OpenGL programs and without a display.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libvulkan1, libgl1-mesa-dri, libglx-mesa0, libegl1, xvfb, xauth")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mesa-utils, vulkan-tools, apitrace, gfxreconstruct")
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/CutawayPackageTools.cmake)
include(CPack)
