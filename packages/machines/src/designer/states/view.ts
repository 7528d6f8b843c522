import { stateIn } from 'xstate'
import { designerSetup } from '../setup.ts'

/** Shows the designer, its flow, the JSON editor or a preview. */
export const viewState = designerSetup.createStateConfig({
  initial: 'designing',
  states: {
    designing: {
      on: {
        'json.open': {
          guard: stateIn({ open: { work: 'editing' } }),
          target: 'json',
          actions: 'openJson',
        },
        'preview.show': [
          { guard: ({ event }) => event.kind === 'list', target: 'preview.list' },
          { guard: ({ event }) => event.kind === 'form', target: 'preview.form' },
          { target: 'preview.details' },
        ],
        'flow.show': { target: 'flow' },
      },
    },
    preview: {
      initial: 'list',
      on: {
        'preview.close': { target: 'designing' },
        'flow.show': { target: 'flow' },
        'preview.show': [
          { guard: ({ event }) => event.kind === 'list', target: '.list' },
          { guard: ({ event }) => event.kind === 'form', target: '.form' },
          { target: '.details' },
        ],
      },
      states: { list: {}, form: {}, details: {} },
    },
    flow: { on: { 'flow.close': { target: 'designing' } } },
    json: {
      on: {
        'json.change': { actions: { type: 'typeJson', params: ({ event }) => event } },
        'json.format': { actions: 'formatJson' },
        'json.apply': [
          { guard: 'isJsonGood', target: 'designing', actions: 'closeJson' },
          { actions: 'formatJson' },
        ],
        'json.cancel': { target: 'designing', actions: 'closeJson' },
      },
    },
  },
})
