import '@xyflow/react/dist/base.css'
import type { Flow, FlowEvent } from '@jiaowu/api/entity/definition/flow'
import type { FlowChange } from '@jiaowu/machines/designer/flow/changes'
import { findState, listEvents } from '@jiaowu/machines/designer/flow/states'
import { buildEvent } from '@jiaowu/machines/designer/flow/vocabulary'
import {
  Background,
  Controls,
  type BuiltInEdge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useNodesState,
} from '@xyflow/react'
import { useEffect, useMemo } from 'react'
import { useText } from '../../../app/text-context.ts'
import {
  type ChartLine,
  type ChartNode,
  everywhereId,
  layoutFlow,
  listLines,
} from './chart-layout.ts'
import { chooseName, findEvent, type FlowPlace, isSamePlace } from './places.ts'
import type { FlowSources } from './use-flow-sources.ts'

interface Props {
  readonly flow: Flow
  readonly sources: FlowSources
  readonly selected: FlowPlace | null
  readonly lit: ReadonlySet<string>
  readonly here: ReadonlySet<string>
  readonly change: (change: FlowChange) => void
  readonly onSelect: (place: FlowPlace) => void
}
interface StateData extends Record<string, unknown> {
  readonly name: string
  readonly tone: string
  readonly isFinal: boolean
  readonly isOuter: boolean
  /** Names of the events that stay in the state. */
  readonly stays: readonly string[]
}
type StateNode = Node<StateData, 'state'>
const nodeTypes = { state: StateView }

/** The states and events as people read them. The table beside it says the same, and takes the keyboard. */
export function FlowChart(props: Props) {
  const { flow, change, onSelect } = props
  const { t } = useText()
  const lines = useMemo(() => listLines(flow), [flow])
  const drawn = useNodes(props, lines)
  const edges = useEdges(props, lines)
  const [nodes, setNodes, onNodesChange] = useNodesState<StateNode>([...drawn])
  useEffect(() => setNodes([...drawn]), [drawn, setNodes])
  return (
    <div className="jw-flow-chart" role="region" aria-label={t('designer.flow.chart')}>
      <ReactFlow<StateNode, BuiltInEdge>
        nodes={nodes}
        edges={[...edges]}
        nodeTypes={nodeTypes}
        onNodesChange={onNodesChange}
        onNodeClick={(_event, { id }) => onSelect({ path: id === everywhereId ? '' : id })}
        onEdgeClick={(_event, { id }) => {
          const [first] = lines.find((line) => line.id === id)?.events ?? []
          if (first !== undefined) onSelect(first)
        }}
        onNodeDragStop={(_event, { id, position }) => {
          if (id !== everywhereId)
            change({
              type: 'state.set',
              path: id,
              patch: { at: { x: Math.round(position.x), y: Math.round(position.y) } },
            })
        }}
        onConnect={({ source, target }) =>
          change({ type: 'event.add', ...connect(props, source, target) })
        }
        deleteKeyCode={null}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        fitView
        minZoom={0.2}
        maxZoom={1.5}
        ariaLabelConfig={{
          'controls.ariaLabel': t('designer.flow.chart.controls'),
          'controls.zoomIn.ariaLabel': t('designer.flow.chart.zoomIn'),
          'controls.zoomOut.ariaLabel': t('designer.flow.chart.zoomOut'),
          'controls.fitView.ariaLabel': t('designer.flow.chart.fit'),
        }}
      >
        <Background gap={20} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

/** The event of a line that is drawn by hand. */
function connect(
  { flow, sources }: Props,
  source: string,
  target: string,
): { readonly path: string; readonly key: string; readonly event: FlowEvent } {
  const path = source === everywhereId ? '' : source
  const event = buildEvent('APPROVE', flow, path, sources.roles[0]?.value ?? 'ROLE')
  return { path, key: 'APPROVE', event: { ...event, target } }
}

function useNodes(
  { flow, selected, lit, here }: Props,
  lines: readonly ChartLine[],
): readonly StateNode[] {
  const { t, locale } = useText()
  return useMemo(() => {
    const toNode = ({ id, parent, x, y, width, height }: ChartNode): StateNode => {
      const path = id === everywhereId ? '' : id
      const state = findState(flow, path)
      return {
        id,
        type: 'state',
        position: { x, y },
        width,
        height,
        ...(parent !== null && { parentId: parent, extent: 'parent' as const }),
        className: [
          lit.has(path) ? 'is-lit' : '',
          here.has(path) ? 'is-here' : '',
          isSamePlace(selected, { path }) ? 'is-on' : '',
        ].join(' '),
        data: {
          name:
            state === undefined ? t('designer.flow.everywhere') : chooseName(locale, state.name),
          tone: state?.tone ?? 'none',
          isFinal: state?.final === true,
          isOuter: state?.states !== undefined,
          stays: listEvents(flow, path)
            .flatMap(({ alternatives }) => alternatives)
            .filter(({ target }) => target === undefined)
            .map(({ name }) => chooseName(locale, name)),
        },
      }
    }
    return layoutFlow(flow, lines).map(toNode)
  }, [flow, lines, selected, lit, here, t, locale])
}

function useEdges({ flow, selected }: Props, lines: readonly ChartLine[]): readonly BuiltInEdge[] {
  const { locale } = useText()
  return useMemo(() => {
    return lines.map(({ id, from, to, events, back }): BuiltInEdge => {
      const isOn = events.some((event) => isSamePlace(selected, event))
      const names = events.flatMap((place) => {
        const event = findEvent(flow, place)
        return event === undefined ? [] : [chooseName(locale, event.name)]
      })
      return {
        id,
        source: from,
        target: to,
        // A way back leaves and enters at the side, so that it does not lie on the way forward.
        ...(back > 0
          ? {
              type: 'smoothstep',
              sourceHandle: 'side-out',
              targetHandle: 'side-in',
              pathOptions: { offset: 24 + 28 * back, borderRadius: 12 },
            }
          : { type: 'default', sourceHandle: 'down', targetHandle: 'up' }),
        label: [...new Set(names)].join(' · '),
        markerEnd: { type: MarkerType.ArrowClosed },
        className: isOn ? 'is-on' : '',
        zIndex: isOn ? 2 : 1,
      }
    })
  }, [flow, lines, selected, locale])
}

function StateView({ data: { name, tone, isFinal, isOuter, stays } }: NodeProps<StateNode>) {
  return (
    <div className={`jw-flow-node${isFinal ? ' is-final' : ''}${isOuter ? ' is-outer' : ''}`}>
      <Handle id="up" type="target" position={Position.Top} />
      <Handle id="side-in" type="target" position={Position.Right} />
      <span className={`jw-tone__dot is-${tone}`} aria-hidden />
      <span className="jw-flow-node__name">{name}</span>
      {stays.length === 0 ? null : <small>{stays.join(' · ')}</small>}
      <Handle id="down" type="source" position={Position.Bottom} />
      <Handle id="side-out" type="source" position={Position.Right} />
    </div>
  )
}
