package verbatim

// notRun lists the blocks that cannot be run here, by page and first line, with the reason. A block that is not listed is
// run. A listed one that is gone fails the test. Of a block in which every line is `make TARGET`, only the targets are checked.
var notRun = []struct{ page, firstLine, reason string }{
	{"README.md", "apt-get update && apt-get install --yes make     # if make is missing",
		"`make run` serves until Ctrl-C, and `make test` is a stage of the gate"},
	{"docs/install.md", "docker build -f deploy/image/Containerfile -t registry.example/winadmit:0.1.0 .",
		"needs Docker, and a base image from Docker Hub"},
	{"docs/install.md", "make image\nkind load image-archive build/image/winadmit.oci.tar", "needs kind, which needs Docker"},
	{"docs/policies.md", "winadmit export policy --platform aks >policies.yaml",
		"a second engine would change what the other pages show; package policies applies it"},
	{"docs/policies.md", "helm upgrade --install winadmit deploy/helm/winadmit --namespace winadmit-system --create-namespace \\",
		"the same; the tests of the chart render it"},
	{"docs/policies.md", "kubectl get validatingadmissionpolicy winadmit-denials -o jsonpath='{.metadata.annotations.winadmit\\.dev/exported-from}'",
		"the same"},
	{"docs/policies.md", "helm upgrade winadmit deploy/helm/winadmit --namespace winadmit-system --reset-then-reuse-values \\",
		"the same"},
	{"docs/ci.md", "mkdir -p ~/.local/lib/winadmit ~/.local/bin", "needs the archive of a release"},
	{"docs/release.md", "make release VERSION=0.1.0", "compiles for two architectures, which takes minutes"},
	{"docs/release.md", "cd build/release-0.1.0", "needs cosign, and what `make release` writes"},
	{"docs/release.md", "cosign verify-blob --key cosign.pub --bundle SHA256SUMS.sigstore.json SHA256SUMS", "needs cosign"},
	{"docs/release.md", "cosign verify --key cosign.pub registry.example/charts/winadmit:0.1.0", "needs cosign"},
}
