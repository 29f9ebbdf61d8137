import QtQuick
import QtQuick3D
import QtQuick3D.Helpers

Window {
    width: 640; height: 480; visible: true; color: "#203040"
    View3D {
        anchors.fill: parent
        environment: SceneEnvironment {
            clearColor: "#8090a0"; backgroundMode: SceneEnvironment.Color
            antialiasingMode: SceneEnvironment.MSAA; antialiasingQuality: SceneEnvironment.High
            aoStrength: 60; aoDistance: 20
        }
        PerspectiveCamera { position: Qt.vector3d(0, 220, 420); eulerRotation.x: -26 }
        DirectionalLight { eulerRotation: Qt.vector3d(-50, -35, 0); castsShadow: true; shadowMapQuality: Light.ShadowMapQualityMedium; shadowFactor: 70 }
        PointLight { position: Qt.vector3d(-150, 150, 150); brightness: 2; color: "#ffd0a0" }
        Model { source: "#Rectangle"; scale: Qt.vector3d(6, 6, 6); eulerRotation.x: -90
            materials: PrincipledMaterial { baseColor: "#b0b0a8"; roughness: 0.8 } }
        Model { source: "#Sphere"; position: Qt.vector3d(-110, 50, 0)
            materials: PrincipledMaterial { baseColor: "#d04030"; metalness: 0.9; roughness: 0.35 } }
        Model { source: "#Cube"; position: Qt.vector3d(30, 50, -30); eulerRotation.y: 30
            materials: PrincipledMaterial { baseColor: "#3060c0"; roughness: 0.4 } }
        Model { source: "#Cone"; position: Qt.vector3d(150, 0, 40); scale: Qt.vector3d(1, 1.3, 1)
            materials: PrincipledMaterial { baseColor: "#40a050"; roughness: 0.6; opacity: 0.8; alphaMode: PrincipledMaterial.Blend } }
    }
    Text { x: 12; y: 8; text: "Qt Quick 3D"; color: "white"; font.pixelSize: 22 }
}
