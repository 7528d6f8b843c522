import { cutText } from '@jiaowu/api/cut-text'
/** Path separators, control characters, and invisible and bidirectional formatting characters. */
const forbidden =
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/**
 * A file name without path or invisible characters, of at most 100 characters plus the extension.
 */
export function safeFileName(wanted: string, extension: string): string {
  const stem = wanted
    .normalize('NFC')
    .replace(forbidden, '')
    .replace(new RegExp(`\\.${extension}$`, 'i'), '')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  return `${cutText(stem, 100) || 'export'}.${extension}`
}

/** RFC 6266: an ASCII name for old clients, and the full name in UTF-8. */
export function attachmentHeader(name: string): string {
  return `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encode(name)}`
}

function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
