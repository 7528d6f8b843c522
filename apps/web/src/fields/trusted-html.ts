import DOMPurify from 'dompurify'

interface Factory { createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => unknown }
let installed = false

/** Libraries that parse HTML by themselves (the editor) get it sanitised: the page's default policy is the sanitiser (security W1). */
export const installTrustedHtml = (): void => {
  if (installed) return
  installed = true
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes
  factory?.createPolicy('default', { createHTML: (html) => DOMPurify.sanitize(html) })
}
