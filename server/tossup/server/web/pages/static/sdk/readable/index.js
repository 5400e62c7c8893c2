//# sourceMappingURL=index.js.map
