import { createHash, sign } from 'node:crypto'
import forge from 'node-forge'
import type { SigningIdentity } from './identity.ts'

const { asn1 } = forge
type Node = forge.asn1.Asn1

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  rsaEncryption: '1.2.840.113549.1.1.1',
}
const sequence = (...of: Node[]) => createAsnNode(asn1.Type.SEQUENCE, of)
const set = (...of: Node[]) => createAsnNode(asn1.Type.SET, of)
const oid = (dotted: string) => createAsnNode(asn1.Type.OID, asn1.oidToDer(dotted).getBytes())
const octets = (bytes: Buffer) => createAsnNode(asn1.Type.OCTETSTRING, bytes.toString('binary'))
const small = (value: number) =>
  createAsnNode(asn1.Type.INTEGER, asn1.integerToDer(value).getBytes())
const algorithm = (dotted: string) => sequence(oid(dotted), createAsnNode(asn1.Type.NULL, ''))
const der = (of: Node) => Buffer.from(asn1.toDer(of).getBytes(), 'binary')
const attribute = (dotted: string, value: Node) => sequence(oid(dotted), set(value))

/**
 * A detached CMS signature as PAdES B-B requires it (ETSI EN 319 142-1 §6.3): SHA-256 with RSA, the
 * signer's certificate among the signed attributes, and no signing time, which the PDF itself
 * holds. The same bytes give the same signature.
 */
export function signDetached(content: Uint8Array, { key, certificates }: SigningIdentity): Buffer {
  const chain = certificates.map((pem) => asn1.fromDer(forge.pem.decode(pem)[0]?.body ?? ''))
  const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
  const signed = sortMembers([
    attribute(oids.contentType, oid(oids.data)),
    attribute(oids.messageDigest, octets(digest(content))),
    attribute(
      oids.signingCertificateV2,
      sequence(sequence(sequence(octets(digest(der(chain[0] as Node)))))),
    ), // SHA-256 is the default and omitted
  ])
  const signature = sign('sha256', der(set(...signed)), key)
  const signer = sequence(
    small(1),
    signerName(chain[0] as Node),
    algorithm(oids.sha256),
    context(0, signed),
    algorithm(oids.rsaEncryption),
    octets(signature),
  )
  const signedData = sequence(
    small(1),
    set(algorithm(oids.sha256)),
    sequence(oid(oids.data)),
    context(0, chain),
    set(signer),
  )
  return der(sequence(oid(oids.signedData), context(0, [signedData])))
}

/** DER sorts the members of a set by their bytes. */
function sortMembers(members: readonly Node[]) {
  return members.toSorted((a, b) => Buffer.compare(der(a), der(b)))
}

/** Issuer and serial number, copied byte for byte from the certificate (v3: after the version). */
function signerName(certificate: Node) {
  const [, serial, , issuer] = (certificate.value[0] as Node).value as Node[]
  return sequence(issuer as Node, serial as Node)
}

function context(tag: number, of: Node[]) {
  return createAsnNode(tag as forge.asn1.Type, of, asn1.Class.CONTEXT_SPECIFIC)
}

function createAsnNode(
  type: forge.asn1.Type,
  value: string | Node[],
  kind: forge.asn1.Class = asn1.Class.UNIVERSAL,
): Node {
  return asn1.create(kind, type, Array.isArray(value), value)
}
