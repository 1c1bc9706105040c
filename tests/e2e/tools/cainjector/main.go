// Command cainjector runs the cainjector of cert-manager. Newer releases have no package that a module can name, so this
// is a main function for its controllers. (cainjector 1.11, the last release that can be built as a package, removes
// matchConditions from webhook configurations.)
package main

import (
	"errors"
	"flag"
	"log"

	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	"github.com/cert-manager/cert-manager/pkg/controller/cainjector"
	"k8s.io/apimachinery/pkg/runtime"
	kubernetes "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2/klogr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func main() {
	flag.Parse() // --kubeconfig, which is controller-runtime's own
	ctrl.SetLogger(klogr.New())
	kinds := runtime.NewScheme()
	if err := errors.Join(kubernetes.AddToScheme(kinds), certmanager.AddToScheme(kinds)); err != nil {
		log.Fatal(err)
	}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{
		Scheme: kinds, Metrics: server.Options{BindAddress: "0"}})
	if err != nil {
		log.Fatal(err)
	}
	ctx := ctrl.SetupSignalHandler()
	if err := cainjector.RegisterAllInjectors(ctx, manager, cainjector.SetupOptions{
		EnableCertificatesDataSource: true,
		EnabledReconcilersFor: map[string]bool{
			cainjector.MutatingWebhookConfigurationName:   true,
			cainjector.ValidatingWebhookConfigurationName: true,
		}}); err != nil {
		log.Fatal(err)
	}
	if err := manager.Start(ctx); err != nil {
		log.Fatal(err)
	}
}
