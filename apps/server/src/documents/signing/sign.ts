import { plainAddPlaceholder } from '@signpdf/placeholder-plain'
import { Signer, SignPdf } from '@signpdf/signpdf'
import { signDetached } from './cms.ts'
import type { SigningIdentity } from './identity.ts'

const cades = 'ETSI.CAdES.detached'
/**
 * Bytes reserved for the signature: enough for a 4096 bit key with a chain of four certificates.
 */
const room = 12_288

class SchoolSigner extends Signer {
  readonly #identity: SigningIdentity
  constructor(identity: SigningIdentity) {
    super()
    this.#identity = identity
  }
  override sign(pdf: Buffer): Promise<Buffer> {
    return Promise.resolve(signDetached(pdf, this.#identity))
  }
}

export interface SigningNote {
  readonly name: string
  readonly reason: string
  readonly location: string
  readonly contact: string
  readonly at: Date
}

/** Encodes a PDF text string that is not ASCII. */
export async function signPdf(
  pdf: Buffer,
  identity: SigningIdentity,
  { name, reason, location, contact, at }: SigningNote,
): Promise<Buffer> {
  const prepared = plainAddPlaceholder({
    pdfBuffer: pdf,
    name,
    reason,
    location,
    contactInfo: contact,
    signingTime: at,
    signatureLength: room,
    subFilter: cades,
    appName: 'Jiaowu',
  })
  return await new SignPdf().sign(prepared, new SchoolSigner(identity), at)
}
