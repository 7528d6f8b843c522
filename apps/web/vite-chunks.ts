import type { Rolldown } from 'vite'

/** Styles stay with the page that imports them. */
const script = /\.(?:[cm]?js|tsx?)$/
const icons = (...names: string[]) => `icons/.*/components/(?:${names.join('|')})\\.js`

/** Small modules that a student's page shares with the console. */
const basics = new RegExp(
  [
    icons(
      'arrow-left',
      'chevron-left',
      'plus',
      'chevron-right',
      'chevron-down',
      'desktop',
      'document',
      'download',
      'flash',
      'info-sign',
      'log-out',
      'moon',
      'tick',
      'tick-circle',
      'translate',
    ),
    'machines/src/(?:same-view|countdown/machine)\\.ts',
    'web/src/(?:fields/use-machine-actor|app/use-(?:view|narrow|time-of-mount)|ports/student-ports|ui/pdf/bytes-of)\\.tsx?',
  ].join('|'),
)
/** Modules that the sign-in page and the page that verifies documents share with the console. */
const inputs = new RegExp(
  [
    icons('eye-off', 'eye-open', 'lock', 'mobile-phone', 'refresh', 'user', 'warning-sign'),
    '@blueprintjs/core/.*/(?:functionUtils|formGroup|asyncControllable\\w+|inputGroup|textArea|useAsyncControllableValue|tabs/\\w+)\\.js',
    'api/src/formats\\.ts',
    'machines/src/resource/',
    'web/src/(?:shell/session/(?:sign-in|factor)-form|app/unsaved|ui/(?:resource/use-resource|overlays/cancel-button))\\.tsx?',
  ].join('|'),
)
const calendars = /@blueprintjs\/(?:datetime|select)|date-fns|react-day-picker|fields\/dates\//
const form =
  /features\/entity-form\/|machines\/src\/(?:entity-form|lookup|reveal)\/|validation\/src\/(?:typed|rules|expression|field-schema)/
/** Roots of what only few pages need. What the list needs of it comes along with the list. */
const later =
  /html-body|pdf-file|w3c-keyname|features\/(?:student|designer|documents|administration|history(?!\/record-buttons)|payments|export|transfer|import(?!\/transfer-buttons))\/|machines\/src\/(?:designer|designs|transfer|print-preview)\/|entity-checks|ports\/(?:designer|print|transfer)|entity\/(?:draft|secret-names)|ui\/(?:admin-table|resource\/resource-body|drop-zone|sizes)|numericInput|radioGroup|controlCard/

/**
 * Few files for the pages that are opened first, without code that only other pages need. A group takes along what
 * its modules import, unless a group of higher priority has it.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  { name: 'start', tags: ['$initial'], test: script, priority: 7 },
  { name: 'basics', test: (id) => script.test(id) && basics.test(id), priority: 6 },
  { name: 'inputs', test: (id) => script.test(id) && inputs.test(id), priority: 5 },
  // The bell, which staff and students share.
  { name: 'messages', test: /web\/src\/shell\/(?:messages|notice-choices)/, priority: 4.5 },
  {
    name: 'console',
    test: (id) => script.test(id) && ![calendars, form, later].some((kind) => kind.test(id)),
    minShareCount: 2,
    priority: 4,
  },
  { name: 'form', test: (id) => script.test(id) && form.test(id), minShareCount: 2, priority: 3 },
  {
    name: 'calendars',
    test: (id) => script.test(id) && calendars.test(id),
    minShareCount: 2,
    priority: 2,
  },
  // The payment of students and the set-up of a second factor draw codes; neither takes the other's page along.
  { name: 'qr-code', test: /ui\/qr-code|node_modules\/(?:qrcode|dijkstrajs)\//, priority: 8 },
  {
    name: 'sanitiser',
    test: /dompurify|trusted-html/,
    priority: 8,
  },
  {
    name: 'later',
    test: (id) => script.test(id) && later.test(id) && !/w3c|features\/student\//.test(id),
    minShareCount: 2,
    priority: 1,
  },
]
