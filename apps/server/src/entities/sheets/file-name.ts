/** Path separators, control characters, and marks that turn text around or hide in it. */
const forbidden =
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** A name that is only a name: no path, no hidden marks, at most 100 characters, with exactly this extension. */
export function safeFileName(wanted: string, extension: string): string {
  const stem = wanted
    .normalize('NFC')
    .replace(forbidden, '')
    .replace(new RegExp(`\\.${extension}$`, 'i'), '')
    .replace(/^[.\s]+|[.\s]+$/g, '')
  return `${[...stem].slice(0, 100).join('') || 'export'}.${extension}`
}

/** RFC 6266: a plain name for old readers, the true one in UTF-8. */
export function attachmentHeader(name: string): string {
  return `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encode(name)}`
}

function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
