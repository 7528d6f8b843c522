// @vitest-environment happy-dom
import { transferModels } from './model.ts'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { transferWeb } from './web.tsx'

const shut = 'shuts the drawer, which leaves the job to the server: no matter of the machine'
const columns = 'one of three ways to say which columns go out; the model says all and none'
const file = 'opens the browser’s own dialog; the model chooses by the field behind it'
const tabs = 'which of two panels stands in front; both are there'
gateWeb(transferModels, transferWeb.onScreen, transferWeb.makeScreen, {
  survivors: {
    'jw-tr button Close': shut,
    'jw-tr__foot button 关闭': shut,
    'jw-tr__column input': columns,
    'jw-tr__column button': columns,
    'jw-drop__choose button': file,
    'jw-tr__file button 换一个文件': file,
    'jw-tr__body div': tabs,
    'jw-tr__field title': 'names of icons',
    'jw-tr__table title': 'names of icons',
    'jw-tr__table select 对应字段 学号': 'the first column: the model assigns the second',
    'jw-tr__field select 自动（编号列，没有时按唯一字段）a':
      'the same choice where nothing was remembered: the model makes it where something was',
    'question p': 'how the question is worded; that it is asked, and its answers, are read',
    'button Close': 'waves a toast away; toasts go by themselves',
    'jw-state__label': 'the word beside a spinner',
  },
})
