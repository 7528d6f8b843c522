import '@blueprintjs/core/lib/css/blueprint.css?part=start'
import './styles/start.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startConsole } from './console.tsx'
import { loadTexts } from './texts/load-texts.ts'

const root = document.getElementById('root')
await loadTexts('start')
if (root !== null) createRoot(root).render(<StrictMode>{startConsole().element}</StrictMode>)
