import '@blueprintjs/core/lib/css/blueprint.css'
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import './styles/index.css'
import { t } from '@jiaowu/api'
import { tagsMachine } from '@jiaowu/machines'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createActor } from 'xstate'
import { applySettings, currentLocale, getSettings } from './app/settings.ts'
import { createSurface, readTags, watchOtherTabs, writeTags } from './ports.ts'
import { Application } from './routes.tsx'

// Actors live outside React: StrictMode would start them twice.
applySettings(getSettings())
const surface = createSurface(currentLocale)
const tags = createActor(tagsMachine, { input: { home: { path: '/', title: t(currentLocale(), 'shell.home') }, stored: readTags() } })
tags.on('facts', ({ facts }) => writeTags(facts))
surface.session.on('facts', ({ facts }) => { if (facts === null) tags.send({ type: 'tags.reset' }) })
// Somebody else signed in over the page: what stood there was opened with the other's rights.
surface.session.on('personChanged', () => { tags.send({ type: 'tags.reset' }); location.hash = '#/' })
surface.session.start()
tags.start()
watchOtherTabs(surface.session)
addEventListener('beforeunload', (event) => { if (tags.getSnapshot().context.tags.some(({ dirty }) => dirty)) event.preventDefault() })

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<StrictMode><Application surface={surface} tags={tags} /></StrictMode>)
