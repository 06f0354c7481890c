/** The smallest app with an input box, a database and an offline start. */
import { mount } from 'svelte';
import Bare from './Bare.svelte';

mount(Bare, { target: document.body });
window.addEventListener('load', () => void navigator.serviceWorker.register('./service-worker.js'));
