// A typical Go webhook with controller-runtime: it decodes a typed Pod and checks its fields. To mutate, it marshals the
// changed pod and computes the JSON patch. It has the rules of winadmit with action deny.
package main

import (
	"context"
	"flag"
	"log"
	"os/signal"
	"path/filepath"
	"syscall"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/go-logr/logr"
)

func main() {
	port := flag.Int("port", 8443, "where to listen on loopback")
	cert := flag.String("cert", "tls.crt", "certificate, its key beside it")
	key := flag.String("key", "tls.key", "file name of the key")
	flag.Parse()
	ctrllog.SetLogger(logr.Discard())

	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		log.Fatal(err)
	}
	decoder := admission.NewDecoder(scheme)
	server := webhook.NewServer(webhook.Options{
		Host:     "127.0.0.1",
		Port:     *port,
		CertDir:  filepath.Dir(*cert),
		CertName: filepath.Base(*cert),
		KeyName:  filepath.Base(*key),
	})
	server.Register("/validate", &webhook.Admission{Handler: &validator{decoder}})
	server.Register("/mutate", &webhook.Admission{Handler: &mutator{decoder}})

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := server.Start(ctx); err != nil {
		log.Fatal(err)
	}
}
