/** The least that an app with a box to type in, a database and an offline start can be. */
import { mount } from 'svelte';
import Bare from './Bare.svelte';

mount(Bare, { target: document.body });
window.addEventListener('load', () => void navigator.serviceWorker.register('./service-worker.js'));
