import { checkPages, renderPdf } from '../pdf/render.ts'
import type { Drawing } from '../pdf/layout/frame.ts'
import type { SigningIdentity } from '../signing/identity.ts'
import { signPdf, type SigningNote } from '../signing/sign.ts'

/** Input of the drawing thread. Plain data, because it is sent to another thread. */
export interface DrawJob {
  readonly drawing: Drawing
  readonly signing: { readonly identity: SigningIdentity; readonly note: SigningNote } | null
  /** Draws the pages only to see that they can be drawn; the bytes are empty. */
  readonly isCheck?: boolean
}
export type FromDrawer =
  | { readonly id: number; readonly bytes: Uint8Array }
  | { readonly id: number; readonly missing: string }
  | { readonly id: number; readonly failure: string }
export interface ToDrawer {
  readonly id: number
  readonly job: DrawJob
}

/** Draws the pages and signs them. */
export async function draw({ drawing, signing, isCheck = false }: DrawJob): Promise<Buffer> {
  if (isCheck) {
    checkPages(drawing)
    return Buffer.alloc(0)
  }
  const pages = await renderPdf(drawing)
  return signing === null ? pages : await signPdf(pages, signing.identity, signing.note)
}
