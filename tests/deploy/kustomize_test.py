"""Checks the kustomize base and its overlays, rendered by kubectl."""

import unittest

import consistency
import manifests


class Kustomize(unittest.TestCase):
    def test_every_overlay_is_consistent(self):
        self.assertEqual({"cert-manager", "self-signed", "dev"}, {path.name for path in manifests.OVERLAYS})
        for overlay in manifests.OVERLAYS:
            with self.subTest(overlay.name):
                consistency.check(self, manifests.kustomize(overlay))

    def test_webhooks_come_after_what_they_call(self):
        for overlay in manifests.OVERLAYS:
            with self.subTest(overlay.name):
                kinds = [o["kind"] for o in manifests.kustomize(overlay)]
                for configuration in ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"):
                    self.assertGreater(kinds.index(configuration), kinds.index("Deployment"))
                    self.assertGreater(kinds.index(configuration), kinds.index("Service"))

    def test_components_work_with_each_overlay(self):
        for component, kinds in (("kustomize/components/autoscaling", {"HorizontalPodAutoscaler"}),
                                 ("observability", {"ServiceMonitor", "PrometheusRule"})):
            for overlay in manifests.OVERLAYS:
                with self.subTest(f"{component} with {overlay.name}"):
                    found = with_component(overlay, manifests.DEPLOY / component)
                    consistency.check(self, found)
                    self.assertLessEqual(kinds, {o["kind"] for o in found})


def with_component(overlay, component):
    """Renders an overlay with a component, as a user's own overlay would include them."""
    folder = overlay.parent / f"test-{component.name}"
    folder.mkdir()
    try:
        (folder / "kustomization.yaml").write_text(
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
            f"resources: [../{overlay.name}]\ncomponents: [../../../{component.relative_to(manifests.DEPLOY)}]\n")
        return manifests.kustomize(folder)
    finally:
        (folder / "kustomization.yaml").unlink()
        folder.rmdir()


if __name__ == "__main__":
    unittest.main()
