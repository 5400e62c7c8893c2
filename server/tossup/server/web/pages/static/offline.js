// Lets a browser keep an exported folder, so that it opens without a network.
if ("serviceWorker" in navigator) navigator.serviceWorker.register("worker.js");
