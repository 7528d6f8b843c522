import '@blueprintjs/core/lib/css/blueprint.css'
import '@blueprintjs/datetime/lib/css/blueprint-datetime.css'
import './styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startConsole } from './console.tsx'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<StrictMode>{startConsole().element}</StrictMode>)
