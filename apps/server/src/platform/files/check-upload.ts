import { limits } from '@jiaowu/api/limits'
import { Invalid, Refusal } from '../refusal.ts'

const extensions: Readonly<Record<string, readonly string[]>> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'text/plain': ['txt'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
}
const maxPixels = 40_000_000
const refuseType = () => new Refusal(415, { key: 'attachment.badType' })

/** Checks an upload; returns the bytes to store and the detected media type. @throws Refusal 413, 415, 422 */
export async function checkUpload(
  bytes: Uint8Array,
  name: string,
): Promise<{ bytes: Uint8Array; type: string }> {
  if (bytes.byteLength === 0)
    throw new Invalid([{ path: 'file', rule: 'required', message: { key: 'attachment.empty' } }])
  if (bytes.byteLength > limits.attachmentBytes)
    throw new Refusal(413, { key: 'attachment.tooLarge' })
  const type = await detectMediaType(bytes, name)
  return { type, bytes: type.startsWith('image/') ? await reencode(bytes, type) : bytes }
}

/**
 * The media type by magic bytes, which must agree with the extension (docs/rules/security.md#f1).
 * @throws Refusal 415
 */
async function detectMediaType(bytes: Uint8Array, name: string): Promise<string> {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  // Loaded by the first upload, as sharp is: few starts of a server see one.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes)
  const type = found?.mime ?? (looksLikeText(bytes) ? 'text/plain' : '')
  if (extensions[type]?.includes(extension) !== true) throw refuseType()
  return type
}

function looksLikeText(bytes: Uint8Array): boolean {
  try {
    return !/[\u0000-\u0008\u000e-\u001f]/.test(
      new TextDecoder('utf-8', { fatal: true }).decode(bytes),
    )
  } catch {
    return false
  }
}

/** Re-encodes a picture: drops EXIF and GPS data and refuses what does not decode (docs/rules/security.md#f8). */
async function reencode(bytes: Uint8Array, type: string): Promise<Uint8Array> {
  if (bytes.byteLength > limits.imageBytes)
    throw new Refusal(413, { key: 'attachment.imageTooLarge' })
  const { default: sharp } = await import('sharp')
  try {
    const picture = sharp(bytes, {
      limitInputPixels: maxPixels,
      animated: type === 'image/gif' || type === 'image/webp',
    }).rotate()
    return await picture.toBuffer()
  } catch {
    throw refuseType()
  }
}

/** A file name without folders, control characters and bidirectional overrides (docs/rules/security.md#f3). */
export function safeName(name: string): string {
  const bare = name
    .normalize('NFC')
    .replace(/^.*[/\\]/, '')
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069"*:<>?|]/g, '')
    .trim()
  const cut = bare.slice(-200)
  return cut === '' || cut.startsWith('.') ? `file${cut}` : cut
}
