import { type MenuNode, t } from '@jiaowu/api'
import type { TagsEvent, tagsMachine } from '@jiaowu/machines'
import type { EventObject, SnapshotFrom } from 'xstate'
import { startConsole } from '../../../apps/web/src/console.tsx'
// Preloaded: a lazy import would finish after the screen has come to rest.
import '../../../apps/web/src/shell/not-found-page.tsx'
import { readTags, writeTags } from '../../../apps/web/src/ports/index.ts'
import type { TagsActor } from '../../../apps/web/src/shell/shell.tsx'
import type { Spec } from '@jiaowu/path-tests'
import type { TagsSeen } from './model.ts'
import { all, Absent, click, find, need, offers, press, textOf } from '../../surfaces/web/dom.ts'
import { answered, type Asked } from '../../surfaces/web/held-fetch.ts'
import { gestureOf, type Gestures, type Screen } from '../../surfaces/web/screen.tsx'

/**
 * What the page shows of the bar, its address, what is stored for a reload, and what the bar
 * offers.
 */
export interface TagsScreen {
  readonly tags: string
  readonly active: string
  readonly address: string
  readonly kept: string
  readonly asks: string
  readonly offers: string
}

type Snapshot = SnapshotFrom<typeof tagsMachine>

export function tagsOnScreen(spec: Spec<TagsSeen>): Spec<TagsScreen> {
  return {
    ...spec,
    project: project as unknown as Spec<TagsScreen>['project'],
    covered: covered as unknown as NonNullable<Spec<TagsScreen>['covered']>,
  }
}

function project(s: Snapshot): TagsScreen {
  const { tags, active } = s.context
  const may = (event: TagsEvent) => s.can(event)
  return {
    tags: tags.map(({ title, dirty }) => `${title}${dirty ? '*' : ''}`).join(),
    active: titleOf(s, active),
    address: `#${active}`,
    kept: JSON.stringify({ active, tags: tags.map(({ path, title }) => ({ path, title })) }),
    asks: s.matches('asking') ? t('zh-CN', 'shell.closeUnsaved') : '',
    offers: (s.matches('asking')
      ? (['ask.cancel', 'ask.confirm'] as const).filter((type) => may({ type }))
      : closable(s)
          .filter((path) => may({ type: 'tag.close', path }))
          .map((path) => `close ${titleOf(s, path)}`)
    ).join(),
  }
}

function titleOf(s: Snapshot, path: string) {
  return s.context.tags.find((tag) => tag.path === path)?.title ?? ''
}

function closable(s: Snapshot) {
  return s.context.tags.map(({ path }) => path).filter((path) => path !== s.context.home)
}

/**
 * Events without a control: the bar behind a question, a tag that is not in it, the close button of
 * home (it has none), the active view. A change of user resets the tags (walked with the session).
 */
function covered(s: Snapshot, given: EventObject): boolean {
  const event = given as TagsEvent
  if (event.type === 'tags.reset') return true
  if (event.type === 'tag.mark' || event.type === 'tag.rename' || event.type.startsWith('ask.'))
    return false
  if (s.matches('asking')) return true
  if (event.type === 'tag.open') return event.path === s.context.active
  if (event.type === 'tag.close') return event.force !== true && !closable(s).includes(event.path)
  return (
    event.type === 'tags.closeOthers' && !s.context.tags.some(({ path }) => path === event.path)
  )
}

const user = {
  id: '1',
  account: 'a',
  name: '甲',
  roles: [],
  mustChangePassword: false,
  tenant: '10000',
  org: null,
}

const question = '.bp6-alert button'
const hasTag = (path: string) => readTags()?.tags.some((tag) => tag.path === path) === true

export function tagsScreen(): Screen<TagsScreen> {
  let tags: TagsActor | null = null
  const gestures = gesturesOf(() => {
    if (tags === null) throw new Absent('not started')
    return tags
  })
  return {
    mount: (start, held) => {
      localStorage.setItem('JIAOWU_TOKEN', 't')
      localStorage.setItem('JIAOWU_EXPIRE_TIME', '1800000')
      const home = { path: '/', title: '首页' }
      if (start === 'stored')
        writeTags({
          version: 1,
          active: '/b',
          tags: [home, ...['/a', '/b'].map((path) => ({ path, title: `t${path}` }))],
        })
      location.hash = start === 'stored' ? '#/b' : '#/'
      const app = startConsole({ fetch: held.fetch })
      tags = app.tags
      return {
        element: app.element,
        stop: () => {
          app.stop()
          location.hash = ''
        },
      }
    },
    callOf: () => null,
    background,
    user: (step, held) => gestureOf(gestures, step, held),
    read,
    readsEffects: true,
  }
}

function gesturesOf(tags: () => TagsActor): Gestures<TagsEvent> {
  return {
    // Home by the logo, one view by its tag where it has one, the other by the menu.
    'tag.open': ({ path }) => {
      if (path === '/') click('.jw-sidebar__logo')
      else if (path === '/a' && hasTag(path)) press(tagOf(path))
      else click('.jw-menu__leaf', `t${path}`)
    },
    // A page reports this about its own tag.
    'tag.rename': (event) => tags().send(event),
    'tag.mark': (event) => tags().send(event),
    'tag.close': (event) => {
      if (event.force === true) tags().send(event)
      else press(need('.jw-tag__close', undefined, tagOf(event.path)))
    },
    'tags.closeOthers': ({ path }) => fromMenu(path, '关闭其他'),
    'tags.closeAll': () => fromMenu('/', '关闭全部'),
    'tags.reset': () => {
      throw new Absent('a reset comes with another person')
    },
    'ask.confirm': () => click(question, '确定'),
    'ask.cancel': () => click(question, '取消'),
  }
}

/** Tags are in the machine's order; a renamed one is found by its place. */
function tagOf(path: string): HTMLElement {
  const at = readTags()?.tags.findIndex((tag) => tag.path === path) ?? -1
  const found = all('.jw-tag')[at]
  if (found === undefined) throw new Absent(`${path} has no tag`)
  return found
}

function fromMenu(path: string, item: string) {
  tagOf(path).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))
  return () => click('.bp6-menu-item', item)
}

function background({ path }: Asked) {
  if (path === '/authority/whoami') return answered(user)
  if (path === '/menu/router') return answered([leafOf('/a'), leafOf('/b')])
  if (path === '/message/mine') return answered({ unread: 0, records: [] })
  return answered(path.endsWith('/page') ? { records: [], total: 0 } : [])
}

function leafOf(path: string): MenuNode {
  return {
    id: path,
    name: `t${path}`,
    path,
    icon: null,
    tag: null,
    hidden: false,
    meta: { title: path, roles: [] },
    children: [],
  }
}

function read(): TagsScreen {
  const bar = all('.jw-tag')
  const nameOf = (tag: HTMLElement) => textOf(find('.jw-tag__title', undefined, tag))
  const asks = find('.bp6-alert') !== undefined
  const kept = readTags()
  const offered = asks
    ? [
        ['ask.cancel', '取消'],
        ['ask.confirm', '确定'],
      ]
        .filter(([, text]) => offers(question, text))
        .map(([type]) => type)
    : bar
        .filter((tag) => offers('.jw-tag__close', undefined, tag))
        .map((tag) => `close ${nameOf(tag)}`)
  return {
    tags: bar
      .map(
        (tag) => `${nameOf(tag)}${find('.jw-tag__dirty', undefined, tag) === undefined ? '' : '*'}`,
      )
      .join(),
    active: bar
      .filter((tag) => find('[aria-current=page]', undefined, tag) !== undefined)
      .map(nameOf)
      .join(),
    address: location.hash,
    kept: kept === null ? '' : JSON.stringify({ active: kept.active, tags: kept.tags }),
    asks: asks ? textOf(find('.bp6-alert p')) : '',
    offers: offered.join(),
  }
}
