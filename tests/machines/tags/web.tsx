import type { MenuNode } from '@jiaowu/api/contract/session'
import type { TagsEvent } from '@jiaowu/machines/tags/machine'
import { tagsView } from '@jiaowu/machines/tags/view'
import { startConsole } from '../../../apps/web/src/console.tsx'
// Preloaded: a lazy import would finish after the screen has come to rest.
import '../../../apps/web/src/inside.tsx'
import '../../../apps/web/src/ui/not-found-page.tsx'
import '../../surfaces/web/console-texts.ts'
import { readTags, writeTags } from '../../../apps/web/src/ports/index.ts'
import { zh } from '../../surfaces/sentences.ts'
import { findLater, page } from '../../surfaces/web/dom/by-role.ts'
import { custom, type Gesture, noControl, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { createRead } from '../../surfaces/web/dom/reads.ts'
import { wrapData } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, type Shown, createWebDriver } from '../../surfaces/web/table.ts'
import { tagsModels } from './model.ts'

const bar = page.role('navigation', zh('shell.tags'))
const menu = page.role('navigation', zh('shell.menu'))
const links = bar.role('link')
let app: ReturnType<typeof startConsole> | null = null
/** A page reports this about its own tag. */
const sendTagsEvent = (event: TagsEvent) => custom(() => app?.tags.send(event))
const isThere = ({ tags }: Shown<typeof tagsView>, path: string) =>
  tags.some((tag) => tag.path === path)

export const tagsWeb = createWebDriver<typeof tagsView>({
  model: tagsModels,
  view: tagsView,
  readings: {
    tags: links.texts.is(({ tags }) => tags.map(({ title }) => title)),
    unsaved: links
      .where((link) => link.previousElementSibling?.matches('[title]') === true)
      .texts.is(({ tags }) => tags.map(({ dirty, title }) => dirty && title)),
    active: links
      .where((link) => link.getAttribute('aria-current') === 'page')
      .texts.is(({ tags, active }) => titleIn(tags, active)),
    address: createRead(() => location.hash).is(({ active }) => `#${active}`),
    /** Reads the facts that are stored for a reload. */
    stored: createRead(() => {
      const { active, tags } = readTags() ?? {}
      return JSON.stringify({ active, tags })
    }).is(({ active, tags }) =>
      JSON.stringify({
        active,
        tags: tags.map(({ key, path, title }) => ({
          ...(key === path ? {} : { key }),
          path,
          title,
        })),
      }),
    ),
  },
  says: {
    'shell.closeUnsaved': ({ asking, unsaved }) => asking && { names: unsaved.join('、') },
  },
  gestures: {
    // Home by the logo, one view by its tag where it has one, the other by the menu.
    'tag.open': ({ path, key }) =>
      key === undefined
        ? withoutOffer(
            findLater(() =>
              path === '/a' && titleIn(readTags()?.tags, path) !== ''
                ? findTagLink(path)
                : menu.role('link', path === '/' ? zh('app.title') : `t${path}`),
            ).press,
          )
        : custom(() => {
            history.pushState({ usr: { key } }, '', `#${path}`)
            dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
          }),
    'tag.move': sendTagsEvent,
    'tag.rename': sendTagsEvent,
    'tag.mark': sendTagsEvent,
    'tag.close': (event) =>
      event.force === true
        ? sendTagsEvent(event)
        : findLater(() =>
            bar.button(`${zh('shell.closeTag')} ${titleIn(readTags()?.tags, event.path)}`),
          ).press,
    'tags.closeOthers': ({ path }) => fromMenu(path, zh('shell.closeOthers')),
    'tags.closeAll': fromMenu('/', zh('shell.closeAll')),
    'tags.reset': noControl,
    'ask.confirm': page.question.button(zh('common.ok')).press,
    'ask.cancel': page.question.button(zh('common.cancel')).press,
  },
  // The bar behind a question. Back in the browser while it is open answers it with no.
  covered: ({ asking }, { type }) => asking && !/^(tag\.(move|mark|rename)|ask\.)/.test(type),
  // The active view, a tag that is not in the bar, home (it has no button to close it).
  hidden: {
    // A change of user resets the tags (walked with the session).
    'tags.reset': true,
    'tag.open': ({ active }, { path }) => path === active,
    'tag.close': (view, { path, force }) =>
      force !== true && (path === view.c.home || !isThere(view, path)),
    'tags.closeOthers': (view, { path }) => !isThere(view, path),
  },
  calls: {},
  host: createTagsHost,
})

interface Titled {
  readonly path: string
  readonly title: string
}

function titleIn(tags: readonly Titled[] | undefined, path: string): string {
  return tags?.find((tag) => tag.path === path)?.title ?? ''
}

/** A tag's link; the title of a tag can change. */
function findTagLink(path: string) {
  return findLater(() => bar.role('link', titleIn(readTags()?.tags, path)))
}

function fromMenu(path: string, item: string): Gesture {
  return custom((held) => {
    const asked = new MouseEvent('contextmenu', { bubbles: true, cancelable: true })
    findTagLink(path).needed.dispatchEvent(asked)
    return () => page.role('menuitem', item).press.run(held)
  })
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

/** Facts stored before each start that has some. */
const stored = {
  stored: { active: '/b', tags: ['/a', '/b'].map((path) => ({ path, title: `t${path}` })) },
  moved: { active: '/a?q=1', tags: [{ key: '/a', path: '/a?q=1', title: 't/a' }] },
} as const

function createTagsHost(): Host {
  return {
    mount: (start, held) => {
      localStorage.setItem('JIAOWU_TOKEN', 't')
      localStorage.setItem('JIAOWU_EXPIRE_TIME', '1800000')
      const { active = '/', tags = null } = stored[start as keyof typeof stored] ?? {}
      if (tags !== null)
        writeTags({ version: 1, active, tags: [{ path: '/', title: zh('shell.home') }, ...tags] })
      location.hash = `#${active}`
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
    background: ({ path }) => {
      if (path === '/authority/whoami') return wrapData(user)
      if (path === '/menu/router') return wrapData([buildTagLeaf('/a'), buildTagLeaf('/b')])
      if (path === '/message/mine') return wrapData({ unread: 0, records: [] })
      if (path === '/flow/todo/page')
        return wrapData({ records: [], entities: [], total: 0, size: 20, current: 1 })
      return wrapData(path.endsWith('/page') ? { records: [], total: 0 } : [])
    },
    readsEffects: true,
  }
}

function buildTagLeaf(path: string): MenuNode {
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
