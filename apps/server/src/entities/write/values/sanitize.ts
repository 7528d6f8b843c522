import sanitizeHtml from 'sanitize-html'

/**
 * The allowed tags and attributes of rich text (docs/rules/security.md#i8): no style, svg, math,
 * iframe or event handlers; links and pictures only with safe schemes.
 */
const options: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'del',
    'sub',
    'sup',
    'mark',
    'blockquote',
    'pre',
    'code',
    'ul',
    'ol',
    'li',
    'a',
    'img',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'span',
    'div',
  ],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // data: URLs only for raster images; svg may contain scripts (docs/rules/security.md#i6)
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'img' &&
    /^\s*data:/i.test(attribs.src ?? '') &&
    !/^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/.test(attribs.src ?? ''),
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: {
        ...attribs,
        ...(attribs.target === undefined ? {} : { target: '_blank', rel: 'noopener noreferrer' }),
      },
    }),
  },
}

/** Removes everything but the allowed tags and attributes from rich text. */
export const cleanHtml = (html: string): string => sanitizeHtml(html, options)
