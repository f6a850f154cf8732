// The transport modules in a page of their own, for the tests to use.
import { connect } from "/static/1/live.js";
import { Outbox } from "/static/1/outbox.js";
import { keepPage } from "/static/1/service.js";
import * as stopwatch from "/static/1/stopwatch.js";

const outbox = await Outbox.open("m1");
Object.assign(window, { connect, keepPage, outbox, stopwatch });
