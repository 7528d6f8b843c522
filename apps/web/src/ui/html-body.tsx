import DOMPurify from 'dompurify'
import { useMemo } from 'react'

/**
 * HTML of a notice or a field, sanitised again before display and passed to the page as a Trusted Type
 * (docs/rules/security.md#i8).
 */
export function HtmlBody({ html }: { readonly html: string }) {
  const clean = useMemo(() => DOMPurify.sanitize(html, { RETURN_TRUSTED_TYPE: true }), [html])
  return (
    <div className="jw-html" dangerouslySetInnerHTML={{ __html: clean as unknown as string }} />
  )
}
