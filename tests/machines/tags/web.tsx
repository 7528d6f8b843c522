import type { MenuNode } from '@jiaowu/api'
import type { TagsEvent, tagsMachine } from '@jiaowu/machines'
import type { SnapshotFrom } from 'xstate'
import { startConsole } from '../../../apps/web/src/console.tsx'
// Preloaded: a lazy import would finish after the screen has come to rest.
import '../../../apps/web/src/shell/inside.tsx'
import '../../../apps/web/src/shell/not-found-page.tsx'
import '../../../apps/web/src/texts/en-console.ts'
import '../../../apps/web/src/texts/en-start.ts'
import '../../../apps/web/src/texts/zh-cn-console.ts'
import '../../../apps/web/src/texts/zh-cn-start.ts'
import { readTags, writeTags } from '../../../apps/web/src/ports/index.ts'
import { button, byRole, having, later, question } from '../../surfaces/web/dom/by-role.ts'
import {
  custom,
  type Gesture,
  need,
  noControl,
  press,
  unlisted,
} from '../../surfaces/web/dom/gestures.ts'
import { answered } from '../../surfaces/web/http/held-fetch.ts'
import { texts } from '../../surfaces/web/dom/reads.ts'
import { zh } from '../../surfaces/web/dom/sentences.ts'
import { type Host, webDriverOf } from '../../surfaces/web/table.ts'
import { tagsModels } from './model.ts'

type Snapshot = SnapshotFrom<typeof tagsMachine>
const bar = byRole('navigation', zh('shell.tags'))
const links = byRole('link', undefined, bar)
let app: ReturnType<typeof startConsole> | null = null

export const tagsWeb = webDriverOf<Snapshot, TagsEvent, Snapshot>({
  model: tagsModels,
  view: (s) => s,
  readings: {
    tags: {
      model: (s) => s.context.tags.map(({ title }) => title).join(),
      screen: texts(links),
    },
    unsaved: {
      model: (s) =>
        s.context.tags
          .filter(({ dirty }) => dirty)
          .map(({ title }) => title)
          .join(),
      screen: texts(
        having(links, (link) => link.previousElementSibling?.matches('[title]') === true),
      ),
    },
    active: {
      model: (s) => titleIn(s.context.tags, s.context.active),
      screen: texts(having(links, (link) => link.getAttribute('aria-current') === 'page')),
    },
    address: { model: (s) => `#${s.context.active}`, screen: () => location.hash },
    /** What is stored for a reload. */
    stored: {
      model: ({ context: { active, tags } }) =>
        JSON.stringify({
          active,
          tags: tags.map(({ key, path, title }) => ({
            ...(key === path ? {} : { key }),
            path,
            title,
          })),
        }),
      screen: () => {
        const stored = readTags()
        return stored === null ? '' : JSON.stringify({ active: stored.active, tags: stored.tags })
      },
    },
  },
  says: { 'shell.closeUnsaved': (s) => s.matches('asking') },
  gestures: {
    // Home by the logo, one view by its tag where it has one, the other by the menu.
    'tag.open': ({ path, key }) =>
      key !== undefined
        ? custom(() => {
            history.pushState({ usr: { key } }, '', `#${path}`)
            dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
          })
        : unlisted(
            press(
              later(() =>
                path === '/a' && titleIn(readTags()?.tags, path) !== ''
                  ? linkOf(path)
                  : byRole(
                      'link',
                      path === '/' ? zh('app.title') : `t${path}`,
                      byRole('navigation', zh('shell.menu')),
                    ),
              ),
            ),
          ),
    // A page reports this about its own tag.
    'tag.move': (event) => custom(() => app?.tags.send(event)),
    'tag.rename': (event) => custom(() => app?.tags.send(event)),
    'tag.mark': (event) => custom(() => app?.tags.send(event)),
    'tag.close': (event) =>
      event.force === true
        ? custom(() => app?.tags.send(event))
        : press(
            later(() =>
              button(`${zh('shell.closeTag')} ${titleIn(readTags()?.tags, event.path)}`, bar),
            ),
          ),
    'tags.closeOthers': ({ path }) => fromMenu(path, zh('shell.closeOthers')),
    'tags.closeAll': fromMenu('/', zh('shell.closeAll')),
    'tags.reset': noControl,
    'ask.confirm': press(button(zh('common.ok'), question())),
    'ask.cancel': press(button(zh('common.cancel'), question())),
  },
  hidden,
  calls: {},
  host,
})

interface Titled {
  readonly path: string
  readonly title: string
}

function titleIn(tags: readonly Titled[] | undefined, path: string): string {
  return tags?.find((tag) => tag.path === path)?.title ?? ''
}

/** A tag's link; the title of a tag can change. */
function linkOf(path: string) {
  return later(() => byRole('link', titleIn(readTags()?.tags, path), bar))
}

function fromMenu(path: string, item: string): Gesture {
  return custom((held) => {
    need(linkOf(path)).dispatchEvent(
      new MouseEvent('contextmenu', { bubbles: true, cancelable: true }),
    )
    return () => press(byRole('menuitem', item)).run(held)
  })
}

/**
 * Events without a control: the bar behind a question, a tag that is not in it, the close button of
 * home (it has none), the active view. A change of user resets the tags (walked with the session).
 */
function hidden(s: Snapshot, event: TagsEvent): boolean {
  const { tags, active, home } = s.context
  const isThere = (path: string) => tags.some((tag) => tag.path === path)
  if (event.type === 'tags.reset') return true
  if (
    event.type === 'tag.move' ||
    event.type === 'tag.mark' ||
    event.type === 'tag.rename' ||
    event.type.startsWith('ask.')
  )
    return false
  // Back in the browser while a question is open answers it with no.
  if (s.matches('asking')) return true
  if (event.type === 'tag.open') return event.path === active
  if (event.type === 'tag.close')
    return event.force !== true && (event.path === home || !isThere(event.path))
  return event.type === 'tags.closeOthers' && !isThere(event.path)
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

function host(): Host {
  return {
    mount: (start, held) => {
      localStorage.setItem('JIAOWU_TOKEN', 't')
      localStorage.setItem('JIAOWU_EXPIRE_TIME', '1800000')
      if (start === 'stored')
        writeTags({
          version: 1,
          active: '/b',
          tags: [
            { path: '/', title: zh('shell.home') },
            ...['/a', '/b'].map((path) => ({ path, title: `t${path}` })),
          ],
        })
      if (start === 'moved')
        writeTags({
          version: 1,
          active: '/a?q=1',
          tags: [
            { path: '/', title: zh('shell.home') },
            { key: '/a', path: '/a?q=1', title: 't/a' },
          ],
        })
      location.hash = start === 'stored' ? '#/b' : start === 'moved' ? '#/a?q=1' : '#/'
      const started = startConsole({ fetch: held.fetch })
      app = started
      return {
        element: started.element,
        stop: () => {
          started.stop()
          location.hash = ''
        },
      }
    },
    background: ({ path }) =>
      answered(
        path === '/authority/whoami'
          ? user
          : path === '/menu/router'
            ? [leafOf('/a'), leafOf('/b')]
            : path === '/message/mine'
              ? { unread: 0, records: [] }
              : path.endsWith('/page')
                ? { records: [], total: 0 }
                : [],
      ),
    readsEffects: true,
  }
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
