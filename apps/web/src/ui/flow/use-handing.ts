import type { FlowStateAnswer } from '@jiaowu/api/contract/entity/flow'
import { useRef } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useResource } from '../resource/use-resource.ts'
import type { Chosen } from './person-picker.tsx'

export type HandAct = 'transfer' | 'add' | 'copy'
export type Way = FlowStateAnswer['tasks'][number]['add'][number]

export interface Given {
  readonly act: HandAct
  readonly path: string
  readonly way: Way
  readonly whom: readonly Chosen[]
  readonly note: string
  readonly isPreview: boolean
}
interface HandResult {
  readonly step: string
  readonly whom: string
}

/** The flow as it is, and the calls that share its tasks. */
export function useHanding(tag: string, id: string, onDone: () => void) {
  const { api } = useApi()
  const version = useRef('')
  const call = async ({ act, path, way, whom, note, isPreview }: Given): Promise<HandResult> => {
    const noted = note === '' ? {} : { note }
    if (act === 'copy') {
      await api.flow.copy({ body: { tag, id, to: whom.map(({ key }) => key), ...noted } })
      return { step: '', whom: '' }
    }
    const [first] = whom
    const task = { tag, id, version: version.current, path, preview: isPreview }
    const to = first?.key ?? ''
    return act === 'transfer'
      ? await api.flow.transfer({ body: { ...task, to, note } })
      : await api.flow.add({
          body: { ...task, way, ...(first?.kind === 'office' ? { role: to } : { to }), ...noted },
        })
  }
  return useResource({
    query: { tag, id },
    load: async (_query, signal) => {
      const flow = await api.flow.read({ params: { tag, id }, signal })
      version.current = flow.version
      return flow
    },
    actions: { preview: call, send: call },
    onDone: { send: () => onDone() },
  })
}
