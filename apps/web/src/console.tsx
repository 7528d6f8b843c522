import { t } from '@jiaowu/api/texts/index'
import { tagsMachine } from '@jiaowu/machines/tags/machine'
import type { ReactElement } from 'react'
import { createActor } from 'xstate'
import { dropKeptEditsExcept, hasKeptEdits } from './features/grid/kept-edits.ts'
import { applySettings, currentLocale, getSettings } from './app/settings.ts'
import { createSurface, readTags, watchOtherTabs, writeTags } from './ports/index.ts'
import { Application } from './routes.tsx'
import type { TagsActor } from './shell/navigation/tags-actor.ts'

/**
 * The whole console. Its actors live outside React, because StrictMode would start them twice.
 * `stop` removes the window's listeners.
 */
export function startConsole(options: NonNullable<Parameters<typeof createSurface>[1]> = {}): {
  readonly element: ReactElement
  readonly surface: ReturnType<typeof createSurface>
  readonly tags: TagsActor
  stop(): void
} {
  applySettings(getSettings())
  const surface = createSurface(currentLocale, options)
  const tags = createActor(tagsMachine, {
    input: { home: { path: '/', title: t(currentLocale(), 'shell.home') }, stored: readTags() },
  })
  tags.on('facts', ({ facts }) => writeTags(facts))
  surface.session.on('facts', ({ facts }) => {
    if (facts === null) tags.send({ type: 'tags.reset' })
  })
  // Another user signed in over the page: close the views that were opened with the first user's
  // rights.
  surface.session.on('personChanged', () => {
    tags.send({ type: 'tags.reset' })
    location.hash = '#/'
  })
  surface.session.start()
  tags.start()
  const unwatch = watchOtherTabs(
    surface.session,
    () => tags.getSnapshot().context.tags.some(({ dirty }) => dirty) || hasKeptEdits(),
  )
  const profiles = surface.session.subscribe(({ context: { profile } }) => {
    if (profile !== null) dropKeptEditsExcept(profile.user)
  })
  const askBeforeLoss = (event: BeforeUnloadEvent) => {
    if (hasKeptEdits()) event.preventDefault()
  }
  addEventListener('beforeunload', askBeforeLoss)
  return {
    element: <Application surface={surface} tags={tags} />,
    surface,
    tags,
    stop: () => {
      unwatch()
      profiles.unsubscribe()
      removeEventListener('beforeunload', askBeforeLoss)
      surface.session.stop()
      tags.stop()
    },
  }
}
