package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"time"
)

// The administrator's token. The cluster listens only on loopback, and exists for minutes.
const adminToken = "e2e-admin"

// Logs every write of pods with its audit annotations, without bodies.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  verbs: [create, update, patch, delete]
  resources: [{group: "", resources: [pods, pods/*]}]
- level: None
`

// writeKeys writes the key for service account tokens, the users and the audit policy of kube-apiserver.
func (c *Cluster) writeKeys() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	return errors.Join(
		writeKey(c.path("sa.key"), key),
		writePEM(c.path("sa.pub"), "PUBLIC KEY", public),
		os.WriteFile(c.path("tokens.csv"), []byte(adminToken+",admin,admin,system:masters\n"), 0o600),
		os.WriteFile(c.path("audit-policy.yaml"), []byte(auditPolicy), 0o600))
}

// IssuePair writes ca.crt, tls.crt and tls.key for host names into dir. They are valid for a day.
func IssuePair(dir string, hosts ...string) error {
	return IssuePairUntil(dir, time.Now().Add(24*time.Hour), hosts...)
}

// IssuePairUntil is IssuePair with another end of the serving certificate.
func IssuePairUntil(dir string, end time.Time, hosts ...string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	now := time.Now()
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "winadmit e2e CA"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: hosts[0]}, DNSNames: hosts,
		NotBefore: ca.NotBefore, NotAfter: end,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	if err != nil {
		return err
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, caKey)
	if err != nil {
		return err
	}
	return errors.Join(
		writePEM(filepath.Join(dir, "ca.crt"), "CERTIFICATE", caDER),
		writePEM(filepath.Join(dir, "tls.crt"), "CERTIFICATE", leafDER),
		writeKey(filepath.Join(dir, "tls.key"), key))
}

func writeKey(file string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return writePEM(file, "EC PRIVATE KEY", der)
}

func writePEM(file, kind string, der []byte) error {
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
