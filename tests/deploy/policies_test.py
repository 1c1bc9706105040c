"""Checks that the chart and the kustomization install the policies that `winadmit export policy` prints."""

import tempfile
import unittest

import yaml

import manifests

KINDS = {"MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding", "ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"}


def exported(*flags):
    return manifests.run(manifests.WINADMIT, "export", "policy", *flags)


def content(objects):
    return {(o["kind"], o["metadata"]["name"]): o["spec"] for o in objects if o["metadata"]["name"].startswith("winadmit-")}


class Policies(unittest.TestCase):
    def test_the_chart_installs_what_is_exported_and_nothing_of_the_webhook(self):
        text = exported()
        found = manifests.helm(values={"engine": "policies", "policies": text}, release="other")
        self.assertEqual(content(yaml.safe_load_all(text)), content(found))
        self.assertEqual(set(), {o["kind"] for o in found} - KINDS)
        for o in found:
            self.assertEqual("other", o["metadata"]["labels"]["app.kubernetes.io/instance"], o["kind"])

    def test_the_chart_installs_both_engines(self):
        webhook = manifests.helm()
        both = manifests.helm(values={"engine": "both", "policies": exported("--default-mode", "audit"), "defaultMode": "audit"})
        self.assertLessEqual({o["kind"] for o in webhook} | KINDS, {o["kind"] for o in both})

    def test_the_chart_reads_files_of_any_editor(self):
        text = exported()
        expected = content(yaml.safe_load_all(text))
        for changed in (text.replace("\n", "\r\n"), text.replace("\n---\n", "\n--- \n"), text.replace("\n---\n", "\n--- # next\n")):
            self.assertEqual(expected, content(manifests.helm(values={"engine": "policies", "policies": changed}, release="other")))

    def test_the_chart_needs_no_image_for_policies(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(exported())
            file.flush()
            manifests.run(manifests.program("helm"), "template", "winadmit", manifests.CHART, "--kube-version", "1.36.0",
                          "--set", "engine=policies", "--set-file", f"policies={file.name}")

    def test_the_chart_says_what_is_missing_or_wrong(self):
        for policies, expected in (("", "winadmit export policy --kubernetes-version 1."), ("a: b", "not what winadmit export policy of this release prints"),
                                   ("a: [", "is not YAML"),
                                   ("kind: ConfigMap\nmetadata: {name: a}\n", "document 1 is a ConfigMap"),
                                   ("kind: ValidatingAdmissionPolicy\nmetadata: {name: a}\n", "no document is the binding")):
            with self.subTest(policies):
                with self.assertRaises(manifests.Refused) as refused:
                    manifests.helm(values={"engine": "policies", "policies": policies})
                self.assertIn(expected, str(refused.exception))

    def test_the_kustomization_installs_what_is_exported(self):
        found = manifests.kustomize(manifests.DEPLOY / "kustomize/policies")
        self.assertEqual(content(yaml.safe_load_all(exported())), content(found))

    def test_the_kustomizations_of_both_engines_have_no_object_in_common(self):
        """To remove one engine would remove it from the other, too."""
        ids = [{manifests.identity(o) for o in manifests.kustomize(folder)}
               for folder in (manifests.DEPLOY / "kustomize/policies", *manifests.OVERLAYS)]
        for overlay in ids[1:]:
            self.assertEqual(set(), ids[0] & overlay)


if __name__ == "__main__":
    unittest.main()
