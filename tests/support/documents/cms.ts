// Checks a PDF signature by the rules of RFC 5652, with nothing of the code that makes it.
import { createHash, verify, X509Certificate } from 'node:crypto'

interface Tlv {
  readonly tag: number
  readonly whole: Buffer
  readonly body: Buffer
}

export interface SignatureCheck {
  /** The signature covers every byte but itself. */
  readonly whole: boolean
  readonly digestFits: boolean
  readonly signatureFits: boolean
  /** The signed attributes name the certificate that is enclosed. */
  readonly certificateNamed: boolean
  readonly certificate: X509Certificate
}

const messageDigest = Buffer.from('2a864886f70d010904', 'hex')
const signingCertificateV2 = Buffer.from('2a864886f70d010910022f', 'hex')

export function checkSignature(pdf: Uint8Array): SignatureCheck {
  const bytes = Buffer.from(pdf)
  const range = /\/ByteRange\s*\[\s*(\d+) (\d+) (\d+) (\d+)\s*\]/
    .exec(bytes.toString('latin1'))
    ?.slice(1)
    .map(Number)
  const [start = 0, firstLength = 0, second = 0, secondLength = 0] = range ?? []
  if (range === undefined) throw new Error('no signature')
  const content = Buffer.concat([
    bytes.subarray(start, start + firstLength),
    bytes.subarray(second, second + secondLength),
  ])
  const parts = children(
    takeTlv(
      children(
        takeTlv(
          children(
            readTlv(
              Buffer.from(bytes.subarray(firstLength + 1, second - 1).toString('latin1'), 'hex'),
            ),
          ),
          1,
        ),
      ),
      0,
    ),
  )
  const certificate = new X509Certificate(takeTlv(children(takeTlv(parts, 3)), 0).whole)
  const signer = children(takeTlv(children(takeTlv(parts, 4)), 0))
  const attributes = takeTlv(signer, 3)
  const valueOf = (oid: Buffer) =>
    takeTlv(
      children(
        takeTlv(
          children(
            takeTlv(
              children(attributes).filter((one) => takeTlv(children(one), 0).body.equals(oid)),
              0,
            ),
          ),
          1,
        ),
      ),
      0,
    )
  // Signed is the SET, though what stands in the message has the tag of a field (RFC 5652 §5.4).
  const signed = Buffer.concat([Buffer.from([0x31]), attributes.whole.subarray(1)])
  const named = takeTlv(
    children(takeTlv(children(takeTlv(children(valueOf(signingCertificateV2)), 0)), 0)),
    0,
  )
  return {
    whole:
      start === 0 &&
      second + secondLength === bytes.length &&
      bytes[firstLength] === 0x3c &&
      bytes[second - 1] === 0x3e,
    digestFits: valueOf(messageDigest).body.equals(createHash('sha256').update(content).digest()),
    signatureFits: verify('sha256', signed, certificate.publicKey, takeTlv(signer, 5).body),
    certificateNamed: named.body.equals(createHash('sha256').update(certificate.raw).digest()),
    certificate,
  }
}

function children({ body }: Tlv): Tlv[] {
  const found: Tlv[] = []
  for (let at = 0; at < body.length; at += found.at(-1)?.whole.length ?? body.length)
    found.push(readTlv(body.subarray(at)))
  return found
}

function takeTlv(list: readonly Tlv[], index: number): Tlv {
  const found = list.at(index)
  if (found === undefined) throw new Error('the signature is not what RFC 5652 describes')
  return found
}

function readTlv(bytes: Buffer): Tlv {
  const first = bytes[1] ?? 0
  const long = first > 127 ? first - 128 : 0
  const length = long === 0 ? first : bytes.readUIntBE(2, long)
  return {
    tag: bytes[0] ?? 0,
    whole: bytes.subarray(0, 2 + long + length),
    body: bytes.subarray(2 + long, 2 + long + length),
  }
}
